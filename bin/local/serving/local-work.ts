import * as z from 'zod';
import { QUEUES, QUEUE_NAMES } from '#lib/functions.ts';
import type { FunctionName, QueueName } from '#lib/functions.ts';
import { REASON } from '#runtime/queues.ts';
import { createEventSource } from '#sandbox/aws/event-source.ts';
import type { EventSource } from '#sandbox/aws/event-source.ts';
import type { AwsSandbox } from '#sandbox/aws/index.ts';
import { messageIn, subjectOf } from '../../daybook/stage/stage-queues.ts';
import { counted } from '../../daybook/terminal/shown-text.ts';
import { queueNameOf } from '../configuration.ts';
import { CONCURRENCY, SCHEDULES } from './local-stage.ts';
import type { Schedule } from './local-stage.ts';

type Invoke = (name: FunctionName, event: unknown) => Promise<unknown>;

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

/**
 * Runs the local stage as AWS runs a deployed one: its schedules fire, and its queues call their functions.
 *
 * @returns ends that, after what is being done
 */
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
