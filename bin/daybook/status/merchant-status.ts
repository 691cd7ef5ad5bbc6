import { badnessOf } from '#functions/delivery-watch/delivery.ts';
import type { LookedPage } from '#functions/delivery-watch/look-at-pages.ts';
import type { MailOutcome } from '#functions/delivery-watch/delivery.ts';

/**
 * What became of a merchant's report, in one word. `without mail`: there was nothing to send. `waiting`: it is not due yet,
 * and a run may still bring it.
 */
export type ReportState =
  'delivered' | 'mailed' | 'without mail' | 'unbalanced' | 'bounced' | 'held' | 'missing' | 'waiting';

/** What became of a merchant's report. */
export interface MerchantStatus {
  /** For an entry without a usable code: its path, such as `merchants[3]`. */
  merchantCode: string;
  /** `null` for a merchant without a usable entry. */
  name: string | null;
  day: string;
  state: ReportState;
  /** Why it needs a look, or what it waits for: a reason of `delivery-watch`. */
  reason: string | null;
  /** Whether the deadline of the report has passed. */
  isDue: boolean;
  /** The newest sealed revision, `null` when nothing is sealed. */
  revision: number | null;
  /** Whether the whole day is sealed, not only a part of it. `null`: its records cannot be read. */
  sealed: boolean | null;
  /** `null` when no whole day is sealed. */
  balanced: boolean | null;
  mail: MailOutcome | null;
  /** When the day was last pulled, with success or not (ISO 8601, UTC). */
  pulledAt: string | null;
}

function stateOf({ delivery }: LookedPage): ReportState {
  const { missing, mail, isDue } = delivery;
  if (missing === null) {
    if (mail === 'delivered') return 'delivered';
    return mail === 'accepted' ? 'mailed' : 'without mail';
  }
  if (missing === 'mail held') return 'held';
  if (missing === 'unbalanced') return 'unbalanced';
  if (missing === 'bounced' || missing === 'complained') return 'bounced';
  // A report that is not due is not missing while a run may still bring it.
  return !isDue && badnessOf(missing) === 2 ? 'waiting' : 'missing';
}

/** What became of a report that was looked at. */
export function merchantStatus(looked: LookedPage): MerchantStatus {
  const { page, records, delivery } = looked;
  const { owner, name, period, isDue } = page;
  const isSealed = delivery.mail !== null;
  return {
    merchantCode: owner.merchantCode ?? '',
    name,
    day: period,
    state: stateOf(looked),
    reason: delivery.missing,
    isDue,
    revision: delivery.revision ?? null,
    sealed: records === undefined ? null : isSealed,
    balanced: isSealed ? delivery.isGood : null,
    mail: delivery.mail,
    pulledAt: records?.check?.checkedAt ?? null,
  };
}

/** States that a person has to look at. */
const NEEDS_LOOK: ReadonlySet<ReportState> = new Set(['unbalanced', 'bounced', 'held', 'missing']);

/** Whether a person has to look at it. */
export function needsLook({ state }: MerchantStatus): boolean {
  return NEEDS_LOOK.has(state);
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
export function countStatuses(merchants: readonly MerchantStatus[]): StatusCounts {
  const number = (isMeant: (one: MerchantStatus) => boolean) => merchants.filter(isMeant).length;
  const inState = (state: ReportState) => number((one) => one.state === state);
  return {
    expected: merchants.length,
    sealed: number(({ sealed }) => sealed === true),
    balanced: number(({ balanced }) => balanced === true),
    mailed: number(({ mail }) => mail === 'accepted' || mail === 'delivered'),
    delivered: number(({ mail }) => mail === 'delivered'),
    withoutMail: number(({ mail }) => mail === 'none'),
    unbalanced: number(({ balanced }) => balanced === false),
    bounced: inState('bounced'),
    held: inState('held'),
    missing: inState('missing'),
    waiting: inState('waiting'),
  };
}

/** How often each reason occurs, the most frequent first. */
export function countReasons(merchants: readonly MerchantStatus[]): { reason: string; count: number }[] {
  const reasons = Map.groupBy(merchants, ({ reason }) => reason ?? '');
  return [...reasons]
    .filter(([reason]) => reason !== '')
    .map(([reason, of]) => ({ reason, count: of.length }))
    .sort((one, other) => other.count - one.count || (one.reason < other.reason ? -1 : 1));
}
