import { expect, it } from 'vitest';
import * as z from 'zod';
import { readWatchEvent } from '#watch/delivery-watch/create-delivery-watch.ts';
import { readPlanEvent } from '#functions/plan/plan-event.ts';
import { propertiesOf } from '#support/stacks/properties-of.ts';
import { synthesise } from '#support/stacks/synthesised.ts';
import { defined } from '#support/assertions/defined.ts';

const scheduleSchema = z.object({ Target: z.object({ Input: z.string() }) });

const { template } = await synthesise('prod');
const schedules = template('Schedules');

/** The event as the target gets it: the scheduler writes the time in place of its name. */
function eventOf(tick: string): unknown {
  const all = Object.entries(propertiesOf(schedules, 'AWS::Scheduler::Schedule', scheduleSchema));
  const [, { Target }] = defined(
    all.find(([id]) => id.startsWith(tick)),
    tick,
  );
  return JSON.parse(Target.Input.replaceAll('<aws.scheduler.scheduled-time>', '2026-11-21T03:00:00Z'));
}

it('the schedules pass their scheduled time in events that the functions accept', () => {
  const ofTick = { scheduledTime: '2026-11-21T03:00:00Z', byHand: false };
  expect(readPlanEvent(eventOf('DailyTick'))).toMatchObject({ is: 'tick', ...ofTick });
  expect(readPlanEvent(eventOf('StatementTick'))).toMatchObject({ is: 'statements', ...ofTick });
  expect(readPlanEvent(eventOf('AlertTick'))).toMatchObject({ is: 'day', kind: 'alert', ...ofTick });
  const now = Date.parse('2026-11-21T03:00:00Z');
  expect(readWatchEvent(eventOf('WatchTick'), () => now)).toEqual({ day: undefined, now, isAhead: false });
});
