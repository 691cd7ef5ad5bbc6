import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { FUNCTIONS, MAX_RECEIVES, QUEUES, QUEUE_NAMES } from '#lib/functions.ts';
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
