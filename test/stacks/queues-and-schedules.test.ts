import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { FUNCTIONS, MAX_RECEIVES, QUEUES, QUEUE_NAMES } from '#lib/functions.ts';
import { readWatchEvent } from '#watch/delivery-watch/create-delivery-watch.ts';
import { readPlanEvent } from '#functions/plan/plan-event.ts';
import { defined } from '#support/assertions/defined.ts';
import { propertiesOf } from '#support/stacks/properties-of.ts';
import { synthesise } from '#support/stacks/synthesised.ts';

const { template } = await synthesise('prod');
const queueSchema = z.object({ QueueName: z.string().optional(), VisibilityTimeout: z.int().optional() });
const queues = Object.values(propertiesOf(template('Functions'), 'AWS::SQS::Queue', queueSchema));

describe('every queue', () => {
  it.each(QUEUE_NAMES)('hides a message for longer than its worker runs: %s', (name) => {
    const queue = queues.find(({ QueueName }) => QueueName === `daybook-prod-${name}`);
    const seconds = FUNCTIONS[QUEUES[name].worker].timeoutMinutes * 60;
    expect(queue?.VisibilityTimeout).toBeGreaterThan(seconds);
  });

  it('rings for no alert check that only comes back: it is put aside before', () => {
    const longestWaits = 1.5 * (4 + 20);
    const runs = MAX_RECEIVES * FUNCTIONS['alert-check'].timeoutMinutes;
    expect(QUEUES.alerts.longestWaitMinutes).toBeGreaterThan(longestWaits + runs);
  });
});

const scheduleSchema = z.object({ Target: z.object({ Input: z.string() }) });

/** The event as the target gets it: the scheduler writes the time in place of its name. */
function eventOf(tick: string): unknown {
  const all = Object.entries(propertiesOf(template('Schedules'), 'AWS::Scheduler::Schedule', scheduleSchema));
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
