import type { Day } from '#records/day/business-day.ts';
import type { Draws } from './draws.ts';
import type { EnvironmentPool } from './environments/pool.ts';
import { RegistryBook, type SoakMerchant } from './merchants.ts';
import { Invoker } from './schedule/invoker.ts';
import { MailFeed } from './schedule/mail-feed.ts';
import { Weather } from './schedule/weather.ts';
import { WorkQueues } from './schedule/work-queues.ts';
import { People } from './service/people.ts';
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

export interface Stage {
  world: World;
  draws: Draws;
  counts: Counts;
  weather: Weather;
  invoker: Invoker;
  queues: WorkQueues;
  feed: MailFeed;
  book: RegistryBook;
  people: People;
  alerts: AlertLedger;
  /** All merchants, also those who join later. */
  merchants: readonly SoakMerchant[];
  firstDay: Day;
  /** The ticks whose `plan` failed each time. */
  unplanned: PlanEvent[];
  /** Called with everything that begins. */
  tell: (what: string) => void;
  broken: BrokenPromise[];
}

export interface Ground extends Pick<
  Stage,
  'world' | 'draws' | 'counts' | 'merchants' | 'firstDay' | 'tell'
> {
  pool: EnvironmentPool;
}

export function buildStage({ pool, ...ground }: Ground): Stage {
  const { world, draws, counts } = ground;
  const weather = new Weather(world, draws);
  const invoker = new Invoker(pool, draws, counts, weather);
  const book = new RegistryBook(world.payments.origin);
  return {
    ...ground,
    weather,
    invoker,
    queues: new WorkQueues(world, draws, counts, weather, invoker),
    feed: new MailFeed(world, draws, counts, invoker, weather),
    book,
    people: new People(world, draws, counts, book),
    alerts: new AlertLedger(world),
    unplanned: [],
    broken: [],
  };
}

/** The codes of the merchants in the registry now. */
export function registeredCodes({ book }: Pick<Stage, 'book'>): string[] {
  return book.merchants.map(({ account }) => account.merchantCode);
}
