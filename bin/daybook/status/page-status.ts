import { periodKind } from '#records/period/period.ts';
import { badnessOf, troubleOf } from '#watch/delivery-watch/delivery.ts';
import type { Delivery, ExpectedPage } from '#watch/delivery-watch/delivery.ts';

/**
 * What became of a page, in one word. `without mail`: there was nothing to send. `waiting`: its deadline has not passed, and a
 * run may still bring it.
 */
export type PageState =
  | 'delivered'
  | 'mailed'
  | 'without mail'
  | 'unbalanced'
  | 'provisional'
  | 'bounced'
  | 'held'
  | 'missing'
  | 'waiting';

/** What is not there: days of a merchant, or merchants of a group. */
export interface Lacking {
  missing: readonly string[];
  unbalanced: readonly string[];
}

/** A page that was looked at. */
export interface PageStatus {
  page: ExpectedPage;
  delivery: Delivery;
  /** Of a merchant's day: when it was last pulled, with success or not (ISO 8601, UTC). */
  pulledAt: string | null;
  isReadable: boolean;
  /** What a page lacks that adds up others. */
  lacking: Lacking;
  /** Until when such a page waits for what is not sealed. Milliseconds UTC, `null` for a merchant's day. */
  deadline: number | null;
}

/** What became of a page, from what the watch says of it. */
export function stateOf({ missing, mail, isGood, isDue }: Delivery): PageState {
  switch (missing) {
    case null:
      if (!isGood) return 'provisional';
      if (mail === 'delivered') return 'delivered';
      return mail === 'accepted' ? 'mailed' : 'without mail';
    case 'mail held':
      return 'held';
    case 'unbalanced':
      return 'unbalanced';
    case 'bounced':
    case 'complained':
      return 'bounced';
    default:
      return !isDue && badnessOf(missing) === 2 ? 'waiting' : 'missing';
  }
}

/** States that a person has to look at. */
const NEEDS_LOOK: ReadonlySet<PageState> = new Set([
  'unbalanced',
  'provisional',
  'bounced',
  'held',
  'missing',
]);

/** Whether a person has to look at it. */
export function needsLook({ delivery }: Pick<PageStatus, 'delivery'>): boolean {
  return NEEDS_LOOK.has(stateOf(delivery));
}

/** A merchant's day as the result has it. An entry without a usable code has its path, such as `merchants[3]`. */
export function reportMembers({ page, delivery, isReadable, pulledAt }: PageStatus) {
  const { revision, missing, mail, isGood, isDue } = delivery;
  const isSealed = mail !== null;
  return {
    merchantCode: page.owner.merchantCode ?? '',
    name: page.name,
    day: page.period,
    state: stateOf(delivery),
    reason: missing,
    isDue,
    revision: revision ?? null,
    // Whether the whole day is sealed, not only a part of it.
    sealed: isReadable ? isSealed : null,
    balanced: isSealed ? isGood : null,
    mail,
    pulledAt,
  };
}

/** A statement or a group's page as the result has it. */
export function statementMembers({ page, delivery, lacking, deadline }: PageStatus) {
  const { owner, name, period } = page;
  const { revision, missing: reason, mail, isGood } = delivery;
  return {
    merchantCode: owner.merchantCode ?? null,
    group: owner.group ?? null,
    name,
    kind: periodKind(period),
    period,
    state: stateOf(delivery),
    revision: revision ?? null,
    final: revision === undefined ? null : isGood,
    mail,
    reason,
    ...lacking,
    deadline: deadline === null ? null : new Date(deadline).toISOString(),
  };
}

/** How many reports are in which state. An unbalanced report that was mailed counts in both. */
export interface StatusCounts {
  expected: number;
  sealed: number;
  balanced: number;
  /** The mail service took it, or it was delivered. */
  mailed: number;
  delivered: number;
  withoutMail: number;
  unbalanced: number;
  bounced: number;
  held: number;
  missing: number;
  waiting: number;
}

/** Counts the reports. */
export function countStatuses(reports: readonly Pick<PageStatus, 'delivery'>[]): StatusCounts {
  const number = (isMeant: (one: Delivery) => boolean) =>
    reports.filter(({ delivery }) => isMeant(delivery)).length;
  const inState = (state: PageState) => number((one) => stateOf(one) === state);
  return {
    expected: reports.length,
    sealed: number(({ mail }) => mail !== null),
    balanced: number(({ mail, isGood }) => mail !== null && isGood),
    mailed: number(({ mail }) => mail === 'accepted' || mail === 'delivered'),
    delivered: number(({ mail }) => mail === 'delivered'),
    withoutMail: number(({ mail }) => mail === 'none'),
    unbalanced: number(({ mail, isGood }) => mail !== null && !isGood),
    bounced: inState('bounced'),
    held: inState('held'),
    missing: inState('missing'),
    waiting: inState('waiting'),
  };
}

/** How often each reason for a look occurs, the most frequent first. */
export function countReasons(
  pages: readonly Pick<PageStatus, 'delivery'>[],
): { reason: string; count: number }[] {
  const reasons = Map.groupBy(pages.filter(needsLook), ({ delivery }) => troubleOf(delivery) ?? '');
  return [...reasons]
    .map(([reason, of]) => ({ reason, count: of.length }))
    .sort((one, other) => other.count - one.count || (one.reason < other.reason ? -1 : 1));
}
