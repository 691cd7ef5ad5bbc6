import { Duration } from 'aws-cdk-lib';
import * as lambdaEvents from 'aws-cdk-lib/aws-lambda-event-sources';
import * as sqs from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { acknowledge } from '../checks.ts';
import { FUNCTIONS } from '../functions.ts';
import type { QueueName } from '../functions.ts';
import { QUEUES, MAX_RECEIVES } from '../functions.ts';
import type { DaybookFunction } from './daybook-function.ts';
import { RunbookAlarm } from './runbook-alarm.ts';
import type { AlarmDestination } from './runbook-alarm.ts';

export interface WorkQueueProps {
  name: QueueName;
  worker: DaybookFunction;
  sender: DaybookFunction;
  /** Batches that are done at the same time: 2 to 1,000. */
  maxConcurrency: number;
  alarms: AlarmDestination;
}

/** Retention of both queues, days: a message says which merchant has no report. */
const KEPT_DAYS = 14;

/** A queue with its worker, its dead-letter queue and the alarms on both (docs/queues.md). */
export class WorkQueue extends Construct {
  readonly queue: sqs.Queue;
  readonly deadLetters: sqs.Queue;

  constructor(
    scope: Construct,
    id: string,
    { name, worker, sender, maxConcurrency, alarms }: WorkQueueProps,
  ) {
    super(scope, id);
    const { longestWaitMinutes, batchSize, batchingSeconds } = QUEUES[name];
    const shared = { encryption: sqs.QueueEncryption.SQS_MANAGED, enforceSSL: true };
    this.deadLetters = new sqs.Queue(this, 'DeadLetters', {
      ...shared,
      queueName: `daybook-${alarms.stage}-${name}-dead`,
      retentionPeriod: Duration.days(KEPT_DAYS),
    });
    acknowledge(this.deadLetters, 'AwsSolutions-SQS3', 'It is a dead-letter queue.');
    this.queue = new sqs.Queue(this, 'Queue', {
      ...shared,
      queueName: `daybook-${alarms.stage}-${name}`,
      retentionPeriod: Duration.days(KEPT_DAYS),
      // A run that dies is tried again a minute after it would have ended.
      visibilityTimeout: Duration.minutes(FUNCTIONS[QUEUES[name].worker].timeoutMinutes + 1),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: MAX_RECEIVES },
    });
    worker.live.addEventSource(
      new lambdaEvents.SqsEventSource(this.queue, {
        batchSize,
        ...(batchingSeconds > 0 && { maxBatchingWindow: Duration.seconds(batchingSeconds) }),
        maxConcurrency,
        reportBatchItemFailures: true,
      }),
    );
    // The rest of a long morning, and what the worker puts aside.
    this.queue.grantSendMessages(worker.role);
    this.deadLetters.grantSendMessages(worker.role);
    this.queue.grantSendMessages(sender.role);
    this.#watch(name, longestWaitMinutes, alarms);
  }

  #watch(name: QueueName, longestWaitMinutes: number, destination: AlarmDestination): void {
    const period = Duration.minutes(5);
    new RunbookAlarm(this, 'Waiting', {
      destination,
      name: `${name}-waiting`,
      metric: this.queue.metricApproximateAgeOfOldestMessage({ period }),
      threshold: longestWaitMinutes * 60,
      impact: `A message of the queue ${name} waits for over ${longestWaitMinutes} minutes: reports or alerts come late.`,
      heading: 'Messages wait too long',
    });
    new RunbookAlarm(this, 'PutAside', {
      destination,
      name: `${name}-put-aside`,
      metric: this.deadLetters.metricApproximateNumberOfMessagesVisible({ period }),
      impact: `Messages of the queue ${name} were put aside: these merchants have no report, statement or check.`,
      heading: 'Messages were put aside',
    });
  }
}
