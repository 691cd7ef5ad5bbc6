import {
  FUNCTION_NAMES,
  FUNCTIONS,
  LIVE,
  MAX_RECEIVES,
  QUEUES,
  QUEUE_NAMES,
  concurrencyOutput,
  functionOutput,
  queueOutput,
} from '#lib/functions.ts';
import type { FunctionName, QueueName } from '#lib/functions.ts';
import { bareAddress } from '#registry/mail-address.ts';
import type { AwsSandbox } from '#sandbox/aws/index.ts';
import { ACCOUNT, LOCAL_STAGE, REGION, REGISTRY_KEY, queueNameOf } from '../configuration.ts';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nameOfProcess } from '#runtime/running-process.ts';
import { SERVING_FILE } from '../../daybook/context.ts';
import type { Serving } from '../../daybook/context.ts';
import * as z from 'zod';
import { REASON } from '#runtime/queues.ts';
import { createEventSource } from '#sandbox/aws/event-source.ts';
import type { EventSource } from '#sandbox/aws/event-source.ts';
import { messageIn, subjectOf } from '../../daybook/stage/stage-queues.ts';
import { counted } from '../../daybook/terminal/shown-text.ts';

type Invoke = (name: FunctionName, event: unknown) => Promise<unknown>;

interface LocalStage {
  /** The functions' variables. The stage's outputs are made of them, so that both always agree. */
  environment: Readonly<Record<string, string>>;
  invoke: Invoke;
}

function functionNameOf(name: FunctionName): string {
  return `daybook-${LOCAL_STAGE}-${name}`;
}

/** What the local stage's schedules, queues and commands call, as in AWS. */
function liveFunctionNameOf(name: FunctionName): string {
  return `${functionNameOf(name)}:${LIVE}`;
}

/**
 * Writes the file that tells `daybook --local` how to reach this process. It is there as a whole or not at all, because a command may read it at any time.
 *
 * @param environment the variables that lead the AWS SDK to the sandboxes
 * @param clockAhead milliseconds by which the run's clock is ahead of the machine's
 */
export function writeServingFile(
  directory: string,
  environment: Record<string, string>,
  clockAhead = 0,
): void {
  const file = join(directory, SERVING_FILE);
  const serving: Serving = { stage: LOCAL_STAGE, environment, process: nameOfProcess(), clockAhead };
  // A link that somebody put there is not followed.
  rmSync(`${file}.new`, { force: true });
  writeFileSync(`${file}.new`, `${JSON.stringify(serving, null, 2)}\n`, { flag: 'wx' });
  renameSync(`${file}.new`, file);
}

const SCHEDULE_GROUP = `daybook-${LOCAL_STAGE}`;

interface Schedule {
  name: string;
  /** Minutes of the hour, as in a cron expression. */
  minutes: string;
  calls: FunctionName;
  /** @param tick ISO 8601, UTC */
  event: (tick: string) => object;
}

function planTick(kind: 'daily' | 'statement' | 'alert'): Pick<Schedule, 'minutes' | 'calls' | 'event'> {
  return { minutes: '0/15', calls: 'plan', event: (scheduledTime) => ({ kind, scheduledTime }) };
}

const SCHEDULES: readonly Schedule[] = [
  { name: 'daily', ...planTick('daily') },
  { name: 'statements', ...planTick('statement') },
  { name: 'alerts', ...planTick('alert') },
  { name: 'watch', minutes: '10/15', calls: 'delivery-watch', event: (now) => ({ now }) },
  { name: 'sweep', minutes: '20', calls: 'sweep', event: (now) => ({ now }) },
];

function scheduleName({ name }: Schedule): string {
  return `daybook-${LOCAL_STAGE}-${name}`;
}

/** How many batches of each queue run at the same time. Each is a thread. */
const CONCURRENCY: Record<QueueName, number> = { reports: 2, backfills: 2, alerts: 2 };

const EVENT_BUS = `arn:aws:events:${REGION}:${ACCOUNT}:event-bus/default`;
const EVENT_TYPES = [
  'SEND',
  'DELIVERY',
  'BOUNCE',
  'COMPLAINT',
  'REJECT',
  'DELIVERY_DELAY',
  'RENDERING_FAILURE',
];

/** The queues and their dead-letter queues. What an earlier run left in them stays. */
function presentQueues({ queues }: AwsSandbox): void {
  for (const name of QUEUE_NAMES) {
    const deadLetterQueue = `${queueNameOf(name)}-dead`;
    queues.put(deadLetterQueue);
    queues.put(queueNameOf(name), {
      visibilityTimeout: (FUNCTIONS[QUEUES[name].worker].timeoutMinutes + 1) * 60,
      redrive: { deadLetterQueue, maxReceiveCount: MAX_RECEIVES },
    });
  }
}

/**
 * Makes the sandboxes look like a deployed stage, all in order: stacks with their outputs, functions, queues, schedules, a verified
 * domain and a configuration set, subscribers of the topic, and an alarm that does not ring. An operator's command then works with
 * them as with AWS.
 */
export function presentLocalStage(aws: AwsSandbox, { environment, invoke }: LocalStage): void {
  const own = Object.entries(environment).filter(([variable]) => !variable.startsWith('AWS_'));
  for (const name of FUNCTION_NAMES)
    aws.lambda.add(functionNameOf(name), {
      environment: Object.fromEntries(own),
      invoke: (event) => invoke(name, event),
    });
  const { SES_CONFIGURATION_SET: set = '', OPS_TOPIC_ARN: topicArn = '', OPS_RECIPIENTS = '' } = environment;
  const from = bareAddress(environment['MAIL_FROM'] ?? '');
  const identity = from.slice(from.lastIndexOf('@') + 1);
  const outputs: Record<string, Record<string, string | undefined>> = {
    Data: { BucketName: environment['DATA_BUCKET'] },
    Functions: {
      RegistryKey: environment['REGISTRY_KEY'] ?? REGISTRY_KEY,
      CredentialsSecret: environment['CREDENTIALS_SECRET'],
      CredentialsSecretPrefix: environment['CREDENTIALS_PREFIX'],
      ServiceOrigins: environment['SERVICE_ORIGINS'],
      ...Object.fromEntries(FUNCTION_NAMES.map((name) => [functionOutput(name), liveFunctionNameOf(name)])),
      ...Object.fromEntries(
        QUEUE_NAMES.flatMap((name) => [
          [queueOutput(name), environment[`QUEUES_${name.toUpperCase()}`]],
          [concurrencyOutput(name), CONCURRENCY[name].toString()],
        ]),
      ),
    },
    Mail: {
      TopicArn: topicArn,
      MailFrom: from,
      Identity: identity,
      ConfigurationSet: set,
      OpsRecipients: OPS_RECIPIENTS,
    },
    Schedules: { ScheduleGroup: SCHEDULE_GROUP, Schedules: SCHEDULES.map(scheduleName).join() },
  };
  for (const [stack, values] of Object.entries(outputs))
    aws.stacks.set(`Daybook-${LOCAL_STAGE}-${stack}`, { outputs: given(values) });
  presentQueues(aws);
  aws.mailSettings.identities.set(identity, { configurationSet: set });
  aws.mailSettings.configurationSets.set(set, {
    eventDestinations: [{ name: 'events', enabled: true, eventTypes: EVENT_TYPES, eventBusArn: EVENT_BUS }],
  });
  for (const endpoint of OPS_RECIPIENTS.split(',').filter((address) => address !== ''))
    aws.notices.subscriptions.push({ topicArn, protocol: 'email', endpoint, confirmed: true });
  for (const schedule of SCHEDULES) {
    aws.schedules.set(scheduleName(schedule), {
      group: SCHEDULE_GROUP,
      state: 'ENABLED',
      expression: `cron(${schedule.minutes} * * * ? *)`,
      target: `arn:aws:lambda:${REGION}:${ACCOUNT}:function:${liveFunctionNameOf(schedule.calls)}`,
    });
  }
  aws.alarms.set(`daybook-${LOCAL_STAGE}-watch-silent`, { state: 'OK' });
}

function given(values: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/** Says in a line what was done: a queue or `tick`, and what. */
type Tell = (label: QueueName | 'tick', text: string) => void;

const batchSchema = z.object({ batchItemFailures: z.array(z.object({ itemIdentifier: z.string() })) });

/** What Lambda does with the queues of the local stage. They look only when they are started. */
export function localEventSources(
  { queues }: Pick<AwsSandbox, 'queues'>,
  invoke: Invoke,
  tell: Tell = () => undefined,
): EventSource[] {
  /** Why a message was put aside since then. `undefined`: it was not. */
  const putAside = (name: QueueName, body: string, since: number) =>
    queues
      .messages(`${queueNameOf(name)}-dead`)
      .find((letter) => letter.body === body && letter.sentAt >= since)?.attributes[REASON];
  return QUEUE_NAMES.map((name) => {
    const { worker, batchSize, batchingSeconds } = QUEUES[name];
    const subject = (body: string) => Object.values(subjectOf(messageIn(body))).join(' ');
    return createEventSource({
      queues,
      queue: queueNameOf(name),
      batchSize,
      maximumBatchingWindow: batchingSeconds,
      maximumConcurrency: CONCURRENCY[name],
      invoke: async (event) => {
        const began = queues.now();
        const answer = await invoke(worker, event);
        const failures = batchSchema.safeParse(answer).data?.batchItemFailures ?? [];
        const back = new Set(failures.map(({ itemIdentifier }) => itemIdentifier));
        const took = `${((queues.now() - began) / 1_000).toFixed(1)} s`;
        for (const { messageId, body } of event.Records) {
          const reason = putAside(name, body, began);
          const done = reason === undefined ? `done  ${took}` : `put aside: ${reason}`;
          tell(name, `${subject(body)}: ${back.has(messageId) ? 'failed, and comes back in minutes' : done}`);
        }
        return answer;
      },
      onError: (error, { Records }) => {
        const what = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
        for (const { body } of Records) tell(name, `${subject(body)}: the run died: ${what}`);
      },
    });
  });
}

const MINUTE = 60_000;

/** The schedules that fire in a minute. @param tick milliseconds UTC */
export function schedulesAt(tick: number): Schedule[] {
  const minute = new Date(tick).getUTCMinutes();
  return SCHEDULES.filter(({ minutes }) => {
    const [first = 0, every = 60] = minutes.split('/').map(Number);
    return minute % every === first % every;
  });
}

const plannedSchema = z.object({ itemCount: z.int() });

/** Invokes what a minute's schedules call, and tells it in one line. @param tick milliseconds UTC */
async function runTick(tick: number, invoke: Invoke, tell: Tell): Promise<void> {
  const moment = new Date(tick).toISOString();
  const outcomes = await Promise.all(
    schedulesAt(tick).map(async ({ name, calls, event }) => {
      try {
        const answer = plannedSchema.safeParse(await invoke(calls, event(moment))).data;
        return answer === undefined ? `${name} done` : `${name} ${counted(answer.itemCount, 'message')}`;
      } catch (error) {
        return `${name} failed: ${error instanceof Error ? error.message : String(error)}`;
      }
    }),
  );
  if (outcomes.length > 0) tell('tick', `${moment.slice(11, 16)} UTC: ${outcomes.join(', ')}`);
}

/** Runs the local stage as AWS runs a deployed one. Returns what ends that, after what is being done. */
export function startLocalWork(aws: AwsSandbox, invoke: Invoke, tell: Tell): () => Promise<void> {
  const sources = localEventSources(aws, invoke, tell);
  for (const source of sources) source.start();
  let timer: NodeJS.Timeout;
  const waitUntil = (tick: number) => {
    timer = setTimeout(() => {
      void runTick(tick, invoke, tell);
      // A machine that slept goes on with the next minute: plan makes up for what it missed.
      waitUntil(Math.max(tick, Date.now() - (Date.now() % MINUTE)) + MINUTE);
    }, tick - Date.now());
  };
  waitUntil(Date.now() - (Date.now() % MINUTE) + MINUTE);
  return async () => {
    clearTimeout(timer);
    await Promise.all(sources.map((source) => source.stop()));
  };
}
