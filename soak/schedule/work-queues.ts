import { setTimeout as wait } from 'node:timers/promises';
import type { SQSEvent, SQSRecord } from 'aws-lambda';
import * as z from 'zod';
import { QUEUES, QUEUE_NAMES, type QueueName } from '#lib/functions.ts';
import { createEventSource, type EventSource, type Fate } from '#sandbox/aws/event-source.ts';
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
export class WorkQueues {
  readonly #world: QueueWorld;
  readonly #draws: Draws;
  readonly #counts: Counts;
  readonly #weather: Pick<Weather, 'isCalm'>;
  readonly #invoker: Pick<Invoker, 'invoke'>;
  readonly #sources: EventSource[];
  readonly #errors: unknown[] = [];

  constructor(
    world: QueueWorld,
    draws: Draws,
    counts: Counts,
    weather: Pick<Weather, 'isCalm'>,
    invoker: Pick<Invoker, 'invoke'>,
  ) {
    this.#world = world;
    this.#draws = draws;
    this.#counts = counts;
    this.#weather = weather;
    this.#invoker = invoker;
    this.#sources = QUEUE_NAMES.map((name) => this.#source(name));
  }

  #source(name: QueueName): EventSource {
    const { worker, batchSize } = QUEUES[name];
    const { aws, queues } = this.#world;
    return createEventSource({
      queues: aws.queues,
      queue: queues.nameOf(name),
      batchSize,
      maximumConcurrency: AT_ONCE,
      invoke: async (event) => {
        const identity = identityOf(name, event);
        await wait(this.#draws.next('order', identity).below(ANY_ORDER));
        return this.#invoker.invoke(worker, event, identity);
      },
      fate: (record) => this.#fateOf(record),
      onError: (error) => {
        if (!(error instanceof FunctionFailure)) this.#errors.push(error);
      },
    });
  }

  #fateOf({ body, attributes }: SQSRecord): Fate {
    if (attributes.ApproximateReceiveCount !== '1') this.#counts.other.add('messages that came back');
    if (this.#weather.isCalm) return 'once';
    const chance = this.#draws.next('delivery', nameOf(body)).below(100);
    const fate = chance < TWICE ? 'twice' : chance < TWICE + NOT_DELETED ? 'not-deleted' : 'once';
    if (fate !== 'once')
      this.#counts.other.add(fate === 'twice' ? 'messages delivered twice' : 'deletions lost');
    return fate;
  }

  /**
   * Delivers what is there and what comes back until then. @param moment ISO 8601 in UTC: the clock's time afterwards
   *
   * @returns what was put aside meanwhile
   */
  async deliverUntil(moment: string): Promise<QueuedMessage[]> {
    const { clock, aws, queues } = this.#world;
    const before = new Set(this.deadLetters().map(({ id }) => id));
    const end = Date.parse(moment);
    for (;;) {
      await Promise.all(this.#sources.map((source) => source.drain()));
      if (this.#errors.length > 0) throw new AggregateError(this.#errors, 'an invocation failed by itself');
      const times = QUEUE_NAMES.map((name) => aws.queues.firstVisibleAt(queues.nameOf(name)) ?? Infinity);
      const next = Math.min(...times);
      if (next > end) break;
      clock.pass(next - clock.now());
    }
    clock.jumpTo(moment);
    return this.deadLetters().filter(({ id }) => !before.has(id));
  }

  deadLetters(): QueuedMessage[] {
    const { aws, queues } = this.#world;
    return QUEUE_NAMES.flatMap((name) => aws.queues.messages(queues.deadLettersOf(name)));
  }

  /** A person moves back what was put aside, and drops the checks: each later tick has newer ones. */
  redrive(): void {
    const { aws, queues } = this.#world;
    this.#counts.other.add('messages put aside', this.deadLetters().length);
    for (const name of QUEUE_NAMES) {
      const deadLetters = queues.deadLettersOf(name);
      if (name === 'alerts') aws.queues.purge(deadLetters);
      else
        this.#counts.other.add(
          'messages given back',
          aws.queues.move(deadLetters, queues.nameOf(name)).moved,
        );
    }
  }

  /** At the end nothing may be left. */
  forgotten(): BrokenPromise[] {
    const { aws, queues } = this.#world;
    const left = QUEUE_NAMES.flatMap((name) => aws.queues.messages(queues.nameOf(name)));
    return [...left, ...this.deadLetters()].map(({ body, attributes }) => ({
      what: `a message is left: ${nameOf(body)} ${attributes['reason'] ?? ''}`.trim(),
    }));
  }
}
