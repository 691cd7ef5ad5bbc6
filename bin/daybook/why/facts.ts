import type { Day } from '#records/day/business-day.ts';
import type { Ledger } from '#records/ledger/ledger.ts';
import type { CheckRecord } from '#records/revision/check-record.ts';
import { isMerchantDay } from '#records/storage/keys.ts';
import type { Delivery, ExpectedPage } from '#watch/delivery-watch/delivery.ts';
import type { DeadLetter } from '../stage/stage-queues.ts';
import type { SealedRevision } from '../stage/sealed-revision.ts';

/** When a page is due. Milliseconds UTC. */
export interface PageClock {
  dueAt: number;
  /** From here on it is issued although something is missing. A merchant's day waits for nothing, so it is `dueAt`. */
  deadline: number;
  /** Until then the watch waits for it. */
  watchedAt: number;
  /** From here on one that is still missing is issued only if it is the newest. `null`: always. */
  issueUntil: number | null;
  /** From here on ticks do not make it again. */
  closedAt: number;
}

/** A day of a merchant, or a merchant of a group, as it is sealed now. */
export interface PartFacts {
  /** A date, or a merchant's code. */
  name: string;
  /** The newest revision, `null` when nothing is sealed. */
  revision: number | null;
  /** Whether a day balances. `null` when that is not looked at. */
  good: boolean | null;
}

/** What is asked about: a page, when it is due, and what it adds up. */
export interface AskedPage {
  page: ExpectedPage;
  /** `null`: the registry does not ask for pages of this kind. */
  clock: PageClock | null;
  /** Why the merchant's entry cannot be used, `null` when it can or is gone. Only a day is explained without its entry. */
  problem: string | null;
  /** The first day that is reported, if the registry sets one. */
  reportFrom: Day | undefined;
  /** Whether a group adds a statement up, so that it is made without a mail. */
  isForGroup: boolean;
  /** The parts that are expected, in order. A merchant's day is pulled and has none. */
  parts: readonly PartFacts[];
}

/** A sealed revision, and what became of its mail: `undefined` when no run began one. */
export type RevisionFacts = SealedRevision & { ledger: Ledger | undefined };

/** What the queues have (docs/queues.md). */
export interface QueueFacts {
  /** The newest tick of the reports. ISO 8601, UTC; `null` when none is known. */
  lastTick: string | null;
  /** How many messages the queue of the reports has. */
  waiting: number;
  /** The page's message that was put aside. `hidden`: there are some, and nobody may read whose. */
  putAside: DeadLetter | 'hidden' | null;
}

/** An address that mail does not go to. */
export interface StopFacts {
  reason: string;
  /** Since when (ISO 8601, UTC). `null` when a person did not write it. */
  at: string | null;
}

/** Everything that is known of a page. */
export interface WhyFacts extends AskedPage {
  /** Milliseconds UTC. */
  now: number;
  queues: QueueFacts;
  /** Only of a merchant's day. */
  check: CheckRecord | undefined;
  /** Oldest first. The newest ones of very many. */
  revisions: readonly RevisionFacts[];
  /** What became of the page's mail, over its revisions. */
  mail: Ledger | undefined;
  /** What the watch says of it. */
  delivery: Delivery;
  /** By the hash of the address: those of recipients and of the mails. */
  stops: ReadonlyMap<string, StopFacts>;
  /** Whether the watch notified the operators of this page. */
  wasNotified: boolean;
  /** Why some records cannot be read. */
  unreadable: string | null;
}

/** The address that is asked for. */
export interface AskedAddress {
  address: string;
  hash: string;
}

/** What the parts of a page are called. */
export function partWord({ page: { owner } }: Pick<WhyFacts, 'page'>): 'day' | 'merchant' {
  return owner.group === undefined ? 'day' : 'merchant';
}

/**
 * What ticks do about a page that adds up others, from now on. `issue`: they wait for what is not sealed, as long as the
 * deadline says, and then make and mail it. That is so while no mail of its newest revision has begun: nothing is sealed, only
 * a preview has sealed it, or a run died before its mail. `follow`: they make it again when one of its days has changed.
 * `nothing`: a page of a group is not made again once it is mailed, and nor is a statement after its time.
 */
export function whatTicksDo({ page, clock, revisions, now }: WhyFacts): 'issue' | 'follow' | 'nothing' {
  if (clock === null || isMerchantDay(page)) return 'nothing';
  if (revisions.at(-1)?.ledger === undefined && now < clock.deadline) return 'issue';
  return page.owner.group === undefined && now < clock.closedAt ? 'follow' : 'nothing';
}
