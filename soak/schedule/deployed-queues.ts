import { FUNCTIONS, MAX_RECEIVES, QUEUES, QUEUE_NAMES } from '#lib/functions.ts';
import type { QueueName } from '#lib/functions.ts';
import type { AwsSandbox } from '#sandbox/aws/index.ts';

/** Seconds. */
const KEPT = 14 * 24 * 60 * 60;

/** The name of a queue, and of that of its dead letters. */
export function namesOf(name: QueueName): { queue: string; deadLetters: string } {
  const queue = `daybook-sandbox-${name}`;
  return { queue, deadLetters: `${queue}-dead` };
}

/** Makes the queues in a sandbox, as they are deployed. @returns the variables that name them to `plan` */
export function deployQueues({ queues, environment }: AwsSandbox): Record<string, string> {
  const endpoint = environment['AWS_ENDPOINT_URL_SQS'] ?? '';
  const variables = QUEUE_NAMES.map((name) => {
    const { queue, deadLetters } = namesOf(name);
    queues.put(deadLetters, { retention: KEPT });
    queues.put(queue, {
      retention: KEPT,
      visibilityTimeout: (FUNCTIONS[QUEUES[name].worker].timeoutMinutes + 1) * 60,
      redrive: { deadLetterQueue: deadLetters, maxReceiveCount: MAX_RECEIVES },
    });
    return [`QUEUES_${name.toUpperCase()}`, `${endpoint}/000000000000/${queue}`];
  });
  return Object.fromEntries(variables);
}
