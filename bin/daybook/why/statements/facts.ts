import type { Day } from '#domain/day/business-day.ts';
import type { Ledger } from '#domain/ledger/ledger.ts';
import type { Period } from '#domain/period/period.ts';
import type { PageOwner } from '#domain/storage/keys.ts';
import type { MailOutcome } from '#functions/delivery-watch/delivery.ts';

/** When a statement is due. Milliseconds UTC. */
export interface StatementClock {
  dueAt: number;
  /** From here on it is issued although something is missing. */
  deadline: number;
  /** From here on one that is still missing is issued only if it is the newest. `null`: always. */
  issueUntil: number | null;
  /** From here on it is not made again. */
  closedAt: number;
}

/** A day of a merchant, or a merchant of a group, as it is sealed now. */
export interface PartFacts {
  /** A date, or a merchant's code. */
  name: string;
  /** The newest revision, `null` when nothing is sealed. */
  revision: number | null;
  /** Whether it balances; of a merchant's week or month: whether it is final. `null` when that is not looked at. */
  good: boolean | null;
}

/** A sealed revision. */
export interface PageFacts {
  revision: number;
  /** ISO 8601, UTC. */
  sealedAt: string;
  final: boolean;
  missing: readonly string[];
  /** Days that do not balance, or merchants whose own page is provisional. */
  unbalanced: readonly string[];
  /** The parts that it adds up, with the revision of each. */
  added: ReadonlyMap<string, number>;
  /** `undefined` when no run began a mail. */
  ledger: Ledger | undefined;
}

/** Everything that is known of a statement or a group's page. */
export interface StatementFacts {
  owner: PageOwner;
  /** The merchant's name; of a group its own. */
  name: string;
  period: Period;
  from: Day;
  to: Day;
  timeZone: string;
  recipients: readonly string[];
  /** Milliseconds UTC. */
  now: number;
  /** `null`: the registry does not ask for statements of this kind. */
  clock: StatementClock | null;
  /** Whether a group adds it up, so that it is made without a mail. */
  isForGroup: boolean;
  /** The parts that are expected, in order. */
  parts: readonly PartFacts[];
  /** Oldest first. */
  pages: readonly PageFacts[];
  /** Over all revisions. `null` when nothing is sealed. */
  mail: { standing: MailOutcome; reason: string | null; ledger: Ledger | undefined } | null;
}

/** What the parts of it are called. */
export function partWord({ owner }: Pick<StatementFacts, 'owner'>): 'day' | 'merchant' {
  return owner.group === undefined ? 'day' : 'merchant';
}

/** Whether no mail of its newest page has begun: nothing is sealed, only a preview has sealed it, or a run died before its mail. */
export function isNotIssued({ pages }: Pick<StatementFacts, 'pages'>): boolean {
  return pages.at(-1)?.ledger === undefined;
}

/**
 * What ticks do about it from now on, for the timeline and the verdict. `issue`: they wait for what is not sealed, as long as
 * the deadline says, and then make and mail it. `follow`: they make it again when one of its days has changed. `nothing`: a
 * page of a group is not made again once it is mailed, and nor is a statement after its time.
 */
export function whatTicksDo(facts: StatementFacts): 'issue' | 'follow' | 'nothing' {
  const { clock, now, owner } = facts;
  if (clock === null) return 'nothing';
  if (isNotIssued(facts) && now < clock.deadline) return 'issue';
  return owner.group === undefined && now < clock.closedAt ? 'follow' : 'nothing';
}
