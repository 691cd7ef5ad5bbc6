import type { Delivery } from '#functions/delivery-watch/delivery.ts';
import type { Day } from '#domain/day/business-day.ts';
import type { Ledger } from '#domain/ledger/ledger.ts';
import type { CheckRecord } from '#domain/revision/check-record.ts';

/** The merchant's entry in the registry. */
export type EntryFacts =
  | { is: 'usable'; name: string; recipients: readonly string[] }
  | { is: 'not usable'; problem: string }
  | { is: 'gone' };

/** A sealed revision. Times are ISO 8601, UTC. */
export interface RevisionFacts {
  revision: number;
  pulledAt: string;
  balanced: boolean;
  /** Until when it holds the day, if the day was not over. */
  soFarUntil: string | null;
  invoices: number | null;
  /** What became of its mail, `undefined` when no run began one. */
  ledger: Ledger | undefined;
}

/** What `plan` did about the report. Times are ISO 8601, UTC. */
export interface PlanFacts {
  /** The newest tick, `null` when none is known. */
  lastTick: string | null;
  /** The tick that handed the report out, `null` when none did. */
  plannedAt: string | null;
  /** Whether the round of that tick has not ended yet. */
  isOpen: boolean;
}

/** An address that mail does not go to. */
export interface StopFacts {
  reason: string;
  /** Since when (ISO 8601, UTC). `null` when a person did not write it. */
  at: string | null;
}

/** Everything that is known of a merchant's day. */
export interface WhyFacts {
  merchantCode: string;
  day: Day;
  timeZone: string;
  /** Milliseconds UTC, as are `dueAt` and `deadlineAt`. */
  now: number;
  /** When the report is due, and until when the watch waits for it. */
  dueAt: number;
  deadlineAt: number;
  /** The first day that is reported, if the registry sets one. */
  reportFrom: Day | undefined;
  entry: EntryFacts;
  plan: PlanFacts;
  check: CheckRecord | undefined;
  /** Oldest first. The newest ones of very many. */
  revisions: readonly RevisionFacts[];
  /** What became of the day's mail, over its revisions. */
  mail: Ledger | undefined;
  /** What the watch says of it. */
  delivery: Delivery;
  /** By the hash of the address: those of recipients and of the mails. */
  stops: ReadonlyMap<string, StopFacts>;
  /** Whether the watch notified the operators of this report. */
  wasNotified: boolean;
  /** Why some records cannot be read. */
  unreadable: string | null;
}

/** The address that is asked for. */
export interface AskedAddress {
  address: string;
  hash: string;
}
