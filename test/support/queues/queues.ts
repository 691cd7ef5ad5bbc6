import type { Context, SQSEvent, SQSRecord } from 'aws-lambda';
import type { QueueName } from '#lib/functions.ts';
import type { AwsSandbox } from '#sandbox/aws/index.ts';
import { queueArn } from '#sandbox/aws/sqs/queue-store.ts';
import { deployQueues } from '#soak/world.ts';
import { buildDependencies } from '#page/daily-report/dependencies.ts';
import { createPageWorker, type PageWorkerPorts } from '#page/daily-report/page-worker.ts';
import { readEnvironment } from '#registry/environment.ts';
import { createEventSource, type EventSource } from '#sandbox/aws/event-source.ts';
import { membersOf } from '#support/assertions/index.ts';
import type { DaybookWorld } from '../world/daybook-world.ts';

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

/** The worker of a cold start on the world's clock, with changes to single ports. */
export function pageWorkerOf(world: DaybookWorld, changes: Partial<PageWorkerPorts> = {}) {
  return createPageWorker({
    telemetry: buildDependencies(readEnvironment(process.env)).telemetry,
    report: world.coldStart(),
    statement: (event, context) => world.statement(membersOf(event), context),
    ...changes,
  });
}

/** Lambda between a queue of the world and what it invokes, one message an event. */
export function sourceOf(
  world: DaybookWorld,
  name: QueueName,
  invoke: (event: SQSEvent, context?: Context) => Promise<unknown>,
  maximumConcurrency = 1,
): EventSource {
  const queue = world.queues.nameOf(name);
  return createEventSource({
    queues: world.aws.queues,
    queue,
    batchSize: 1,
    maximumConcurrency,
    invoke: (event) => invoke(event),
  });
}

/** A delivery of a message, as Lambda makes it of a queue of the world. */
export function delivery(world: DaybookWorld, message: object, name: QueueName = 'reports'): SQSEvent {
  const record: SQSRecord = {
    messageId: '00000000-0000-4000-8000-000000000001',
    receiptHandle: 'a receipt',
    body: JSON.stringify(message),
    attributes: {
      ApproximateReceiveCount: '1',
      SentTimestamp: '0',
      SenderId: 'plan',
      ApproximateFirstReceiveTimestamp: '0',
    },
    messageAttributes: {},
    md5OfBody: '',
    eventSource: 'aws:sqs',
    eventSourceARN: world.queues.arnOf(name),
    awsRegion: 'us-east-1',
  };
  return { Records: [record] };
}

/** Puts a message into a queue of the world. @param message text as it is, or an object as JSON */
export function send(world: DaybookWorld, name: QueueName, message: string | object): void {
  const body = typeof message === 'string' ? message : JSON.stringify(message);
  world.aws.queues.send(world.queues.nameOf(name), body);
}

/** Lets time pass, in minutes. */
export function pass(world: DaybookWorld, minutes: number): void {
  world.clock.ahead += minutes * 60_000;
}
