import type { QueueName } from '#lib/functions.ts';
import type { AwsSandbox } from '#sandbox/aws/index.ts';
import { queueArn } from '#sandbox/aws/sqs/queue-store.ts';
import { deployQueues } from '#soak/world.ts';

/** The queues of a stage with their dead-letter queues, as the stacks make them. @param prefix what their names begin with */
export function makeQueues(aws: Pick<AwsSandbox, 'queues' | 'environment'>, prefix: string) {
  const deployed = deployQueues(aws, prefix);
  const { nameOf, deadLettersOf } = deployed;
  return {
    ...deployed,
    arnOf: (name: QueueName) => queueArn(nameOf(name)),
    /** The messages that are in the queue, in the order in which they were sent. */
    sent: (name: QueueName) => aws.queues.messages(nameOf(name)).map(({ body }): unknown => JSON.parse(body)),
    /** The dead letters, with their reasons. */
    dead: (name: QueueName) =>
      aws.queues.messages(deadLettersOf(name)).map(({ body, attributes }) => {
        const message: unknown = JSON.parse(body);
        return { message, reason: attributes['reason'] };
      }),
  };
}

export type StageQueues = ReturnType<typeof makeQueues>;
