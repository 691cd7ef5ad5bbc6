import { FUNCTIONS, MAX_RECEIVES, QUEUES, QUEUE_NAMES } from '#lib/functions.ts';
import type { QueueName } from '#lib/functions.ts';
import type { AwsSandbox } from '#sandbox/aws/index.ts';
import { queueArn } from '#sandbox/aws/sqs/protocol.ts';

/** The queues of a stage with their dead letters, as the stacks make them. @param prefix what their names begin with */
export function makeQueues(
  { queues, environment }: Pick<AwsSandbox, 'queues' | 'environment'>,
  prefix: string,
) {
  const nameOf = (name: QueueName) => `${prefix}-${name}`;
  for (const name of QUEUE_NAMES) {
    queues.put(`${nameOf(name)}-dead`, { retention: 14 * 24 * 60 * 60 });
    queues.put(nameOf(name), {
      visibilityTimeout: (FUNCTIONS[QUEUES[name].worker].timeoutMinutes + 1) * 60,
      retention: 14 * 24 * 60 * 60,
      redrive: { deadLetterQueue: `${nameOf(name)}-dead`, maxReceiveCount: MAX_RECEIVES },
    });
  }
  const url = (name: QueueName) => `${environment['AWS_ENDPOINT_URL_SQS']}/000000000000/${nameOf(name)}`;
  const bodies = (queue: string): unknown[] =>
    queues.messages(queue).map(({ body }): unknown => JSON.parse(body));
  return {
    /** The functions' variables. */
    variables: Object.fromEntries(
      QUEUE_NAMES.map((name) => [`QUEUES_${name.toUpperCase()}`, url(name)] as const),
    ),
    nameOf,
    arnOf: (name: QueueName) => queueArn(nameOf(name)),
    /** The messages that are in the queue, in the order in which they were sent. */
    sent: (name: QueueName) => bodies(nameOf(name)),
    /** The dead letters, with their reasons. */
    dead: (name: QueueName) =>
      queues.messages(`${nameOf(name)}-dead`).map(({ body, attributes }) => ({
        message: JSON.parse(body) as unknown,
        reason: attributes['reason'],
      })),
  };
}

/** The queues of a stage in a sandbox. */
export type StageQueues = ReturnType<typeof makeQueues>;
