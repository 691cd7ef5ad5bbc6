import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { readWatchEvent } from '#watch/delivery-watch/create-delivery-watch.ts';
import { readPlanEvent } from '#functions/plan/plan-event.ts';
import { propertiesOf } from '#support/stacks/properties-of.ts';
import { synthesise } from '#support/stacks/synthesised.ts';
import { defined } from '#support/assertions/defined.ts';

const scheduleSchema = z.looseObject({
  Target: z.looseObject({ Arn: z.unknown(), Input: z.string() }),
});
type Schedule = z.infer<typeof scheduleSchema>;

const { template, settings } = await synthesise('prod');
const schedules = template('Schedules');

/** `expect.anything` without its type `any`. */
const ANYTHING: unknown = expect.anything();

function scheduleOf(tick: string): Schedule {
  const found = Object.entries(propertiesOf(schedules, 'AWS::Scheduler::Schedule', scheduleSchema)).filter(
    ([id]) => id.startsWith(tick),
  );
  expect(found).toHaveLength(1);
  return defined(found[0])[1];
}

/** The event as the target gets it: the scheduler writes the time in place of its name. */
function eventOf(tick: string): unknown {
  return JSON.parse(
    scheduleOf(tick).Target.Input.replaceAll('<aws.scheduler.scheduled-time>', '2026-11-21T03:00:00Z'),
  );
}

describe('the schedules', () => {
  it.each([
    ['DailyTick', settings.schedules.daily, 'planLive'],
    ['StatementTick', settings.schedules.daily, 'planLive'],
    ['AlertTick', settings.schedules.alerts, 'planLive'],
    ['WatchTick', settings.schedules.watch, 'deliverywatchLive'],
  ])('run as the settings say, with retries and a dead-letter queue: %s', (tick, expression, called) => {
    expect(scheduleOf(tick)).toMatchObject({
      ScheduleExpression: expression,
      ScheduleExpressionTimezone: 'Asia/Kuwait',
      State: 'ENABLED',
      FlexibleTimeWindow: { Mode: 'OFF' },
      Target: {
        DeadLetterConfig: { Arn: ANYTHING },
        RetryPolicy: { MaximumEventAgeInSeconds: 3_600, MaximumRetryAttempts: 20 },
      },
    });
    expect(JSON.stringify(scheduleOf(tick).Target.Arn)).toContain(called);
  });

  it('pass their scheduled time in events that the functions accept', () => {
    const ofTick = { scheduledTime: '2026-11-21T03:00:00Z', byHand: false };
    expect(readPlanEvent(eventOf('DailyTick'))).toMatchObject({ is: 'tick', ...ofTick });
    expect(readPlanEvent(eventOf('StatementTick'))).toMatchObject({ is: 'statements', ...ofTick });
    expect(readPlanEvent(eventOf('AlertTick'))).toMatchObject({ is: 'day', kind: 'alert', ...ofTick });
    const now = Date.parse('2026-11-21T03:00:00Z');
    expect(readWatchEvent(eventOf('WatchTick'), () => now)).toEqual({ day: undefined, now, isAhead: false });
  });
});
