import { FUNCTIONS, MAX_RECEIVES, QUEUES, QUEUE_NAMES } from '#lib/functions.ts';
import type { QueueName } from '#lib/functions.ts';
import type { AwsSandbox } from '#sandbox/aws/index.ts';

/** Seconds. */
const KEPT = 14 * 24 * 60 * 60;

/** The queues of a stage in a sandbox. */
export interface DeployedQueues {
  nameOf: (name: QueueName) => string;
  deadLettersOf: (name: QueueName) => string;
  /** The functions' variables. */
  variables: Record<string, string>;
}

/** Makes the queues and their dead-letter queues, as the stacks do. @param prefix what their names begin with */
export function deployQueues(
  { queues, environment }: Pick<AwsSandbox, 'queues' | 'environment'>,
  prefix: string,
): DeployedQueues {
  const nameOf = (name: QueueName) => `${prefix}-${name}`;
  const deadLettersOf = (name: QueueName) => `${nameOf(name)}-dead`;
  for (const name of QUEUE_NAMES) {
    queues.put(deadLettersOf(name), { retention: KEPT });
    queues.put(nameOf(name), {
      retention: KEPT,
      visibilityTimeout: (FUNCTIONS[QUEUES[name].worker].timeoutMinutes + 1) * 60,
      redrive: { deadLetterQueue: deadLettersOf(name), maxReceiveCount: MAX_RECEIVES },
    });
  }
  const urlOf = (name: QueueName) =>
    `${environment['AWS_ENDPOINT_URL_SQS'] ?? ''}/000000000000/${nameOf(name)}`;
  const variables = QUEUE_NAMES.map((name) => [`QUEUES_${name.toUpperCase()}`, urlOf(name)] as const);
  return { nameOf, deadLettersOf, variables: Object.fromEntries(variables) };
}
