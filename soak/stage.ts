import type { Day } from '#records/day/business-day.ts';
import type { Draws } from './draws.ts';
import type { EnvironmentPool } from './environments/pool.ts';
import { RegistryBook, type SoakMerchant } from './merchants.ts';
import { createInvoker } from './schedule/invoker.ts';
import { createMailFeed } from './schedule/mail-feed.ts';
import { Weather } from './schedule/weather.ts';
import { createWorkQueues } from './schedule/work-queues.ts';
import { createPeople } from './service/people.ts';
import type { Counts } from './tally.ts';
import { AlertLedger } from './truths/alert-ledger.ts';
import type { BrokenPromise } from './truths/evidence.ts';
import type { World } from './world.ts';

/** The event of a schedule that calls `plan`. */
export interface PlanEvent {
  kind: 'daily' | 'statement' | 'alert';
  /** ISO 8601 in UTC. */
  scheduledTime: string;
}

interface Ground {
  world: World;
  draws: Draws;
  counts: Counts;
  /** All merchants, also those who join later. */
  merchants: readonly SoakMerchant[];
  firstDay: Day;
  /** Called with everything that begins. */
  tell: (what: string) => void;
  pool: EnvironmentPool;
}

export type Stage = ReturnType<typeof buildStage>;

export function buildStage({ pool, ...ground }: Ground) {
  const { world, draws, counts } = ground;
  const weather = new Weather(world, draws);
  const invoker = createInvoker(pool, draws, counts, weather);
  const book = new RegistryBook(world.payments.origin);
  /** The ticks whose `plan` failed each time. */
  const unplanned: PlanEvent[] = [];
  const broken: BrokenPromise[] = [];
  return {
    ...ground,
    weather,
    invoker,
    queues: createWorkQueues(world, draws, counts, weather, invoker),
    feed: createMailFeed(world, draws, counts, invoker, weather),
    book,
    people: createPeople(world, draws, counts, book),
    alerts: new AlertLedger(world),
    unplanned,
    broken,
  };
}

/** The codes of the merchants in the registry now. */
export function registeredCodes({ book }: Pick<Stage, 'book'>): string[] {
  return book.merchants.map(({ account }) => account.merchantCode);
}
