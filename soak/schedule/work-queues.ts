import { setTimeout as wait } from 'node:timers/promises';
import type { SQSEvent, SQSRecord } from 'aws-lambda';
import * as z from 'zod';
import { QUEUES, QUEUE_NAMES, type QueueName } from '#lib/functions.ts';
import { createEventSource, type Fate } from '#sandbox/aws/event-source.ts';
import type { QueuedMessage } from '#sandbox/aws/index.ts';
import type { Draws } from '../draws.ts';
import type { Counts } from '../tally.ts';
import type { BrokenPromise } from '../truths/evidence.ts';
import type { World } from '../world.ts';
import { FunctionFailure, type Invoker } from './invoker.ts';
import type { Weather } from './weather.ts';

/** Invocations of a queue at the same time. The pool lets fewer run. */
const AT_ONCE = 12;
/** In a hundred receives: those that two invocations get, and those whose deletion is lost. */
const TWICE = 5;
const NOT_DELETED = 5;
/** Messages that are received together start in any order. Milliseconds of the machine. */
const ANY_ORDER = 40;

const wordsSchema = z
  .object({
    merchantCode: z.string(),
    group: z.string(),
    days: z.array(z.string()),
    period: z.string(),
    send: z.boolean(),
    scheduledTime: z.string(),
  })
  .partial();

/** Names a message in words that are the same in every run. */
function nameOf(body: string): string {
  const {
    merchantCode,
    group = '',
    days,
    period = '',
    send,
    scheduledTime,
  } = wordsSchema.parse(JSON.parse(body));
  return [merchantCode ?? group, days?.join() ?? period, send, scheduledTime].join(' ');
}

/** The work of an invocation. Which checks are in a batch of alerts may differ between runs. */
function identityOf(name: QueueName, { Records }: SQSEvent): string {
  const [first] = Records;
  if (name !== 'alerts' || first === undefined) return Records.map(({ body }) => nameOf(body)).join();
  return `a batch of ${wordsSchema.parse(JSON.parse(first.body)).scheduledTime}`;
}

type QueueWorld = Pick<World, 'clock' | 'queues'> & { aws: Pick<World['aws'], 'queues'> };

/** SQS and Lambda's event sources: deliver what `plan` sends, some of it twice, and some deletions are lost. */
export function createWorkQueues(
  { clock, aws, queues }: QueueWorld,
  draws: Draws,
  counts: Counts,
  weather: Pick<Weather, 'isCalm'>,
  invoker: Pick<Invoker, 'invoke'>,
) {
  const errors: unknown[] = [];

  function fateOf({ body, attributes }: SQSRecord): Fate {
    if (attributes.ApproximateReceiveCount !== '1') counts.other.add('messages that came back');
    if (weather.isCalm) return 'once';
    const chance = draws.next('delivery', nameOf(body)).below(100);
    const fate = chance < TWICE ? 'twice' : chance < TWICE + NOT_DELETED ? 'not-deleted' : 'once';
    if (fate !== 'once') counts.other.add(fate === 'twice' ? 'messages delivered twice' : 'deletions lost');
    return fate;
  }

  const sources = QUEUE_NAMES.map((name) => {
    const { worker, batchSize } = QUEUES[name];
    return createEventSource({
      queues: aws.queues,
      queue: queues.nameOf(name),
      batchSize,
      maximumConcurrency: AT_ONCE,
      invoke: async (event) => {
        const identity = identityOf(name, event);
        await wait(draws.next('order', identity).below(ANY_ORDER));
        return invoker.invoke(worker, event, identity);
      },
      fate: fateOf,
      onError: (error) => {
        if (!(error instanceof FunctionFailure)) errors.push(error);
      },
    });
  });

  const deadLetters = (): QueuedMessage[] =>
    QUEUE_NAMES.flatMap((name) => aws.queues.messages(queues.deadLettersOf(name)));

  return {
    deadLetters,
    /** Delivers what is there and what comes back until then (ISO 8601, UTC). Returns what was put aside meanwhile. */
    deliverUntil: async (moment: string): Promise<QueuedMessage[]> => {
      const before = new Set(deadLetters().map(({ id }) => id));
      const end = Date.parse(moment);
      for (;;) {
        await Promise.all(sources.map((source) => source.drain()));
        if (errors.length > 0) throw new AggregateError(errors, 'an invocation failed by itself');
        const times = QUEUE_NAMES.map((name) => aws.queues.firstVisibleAt(queues.nameOf(name)) ?? Infinity);
        const next = Math.min(...times);
        if (next > end) break;
        clock.pass(next - clock.now());
      }
      clock.jumpTo(moment);
      return deadLetters().filter(({ id }) => !before.has(id));
    },
    /** A person moves back what was put aside, and drops the checks: each later tick has newer ones. */
    redrive: (): void => {
      counts.other.add('messages put aside', deadLetters().length);
      for (const name of QUEUE_NAMES) {
        const aside = queues.deadLettersOf(name);
        if (name === 'alerts') aws.queues.purge(aside);
        else counts.other.add('messages given back', aws.queues.move(aside, queues.nameOf(name)).moved);
      }
    },
    /** At the end nothing may be left. */
    forgotten: (): BrokenPromise[] => {
      const left = QUEUE_NAMES.flatMap((name) => aws.queues.messages(queues.nameOf(name)));
      return [...left, ...deadLetters()].map(({ body, attributes }) => ({
        what: `a message is left: ${nameOf(body)} ${attributes['reason'] ?? ''}`.trim(),
      }));
    },
  };
}
