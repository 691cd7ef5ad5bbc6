import type { Delivery } from '#functions/delivery-watch/delivery.ts';
import type { MailOutcome } from '#functions/delivery-watch/delivery.ts';
import type { NewestStatement } from './newest-statements.ts';

/**
 * What became of a statement, in one word. `without mail`: there was none to send. `waiting`: its days are not all there, and
 * its deadline has not passed.
 */
export type StatementState =
  'delivered' | 'mailed' | 'without mail' | 'provisional' | 'waiting' | 'bounced' | 'held' | 'missing';

/** What is not there: days of a merchant, or merchants of a group. */
export interface Lacking {
  missing: readonly string[];
  unbalanced: readonly string[];
}

/** What became of the newest statement of a kind. */
export interface StatementStatus extends Lacking {
  /** `null` for a group's page. */
  merchantCode: string | null;
  /** `null` for a merchant's statement. */
  group: string | null;
  name: string | null;
  kind: NewestStatement['kind'];
  period: string;
  state: StatementState;
  /** `null` when nothing is sealed. */
  revision: number | null;
  /** `null` when nothing is sealed. */
  final: boolean | null;
  mail: MailOutcome | null;
  /** Why it did not arrive: a reason of `delivery-watch`. */
  reason: string | null;
  /** Until when it waits for what is not sealed (ISO 8601, UTC). */
  deadline: string;
}

function stateOf({ missing, mail, isGood, revision }: Delivery, isWaiting: boolean): StatementState {
  if (revision === undefined && isWaiting) return 'waiting';
  if (missing === 'mail held') return 'held';
  if (missing === 'bounced' || missing === 'complained') return 'bounced';
  if (missing !== null) return isWaiting ? 'waiting' : 'missing';
  if (!isGood) return 'provisional';
  if (mail === 'delivered') return 'delivered';
  return mail === 'accepted' ? 'mailed' : 'without mail';
}

/**
 * What became of a statement that was looked at.
 *
 * @param margin milliseconds after its deadline after which it must be there
 */
export function statementStatus(
  { expected: { owner, period }, kind, name, deadline }: NewestStatement,
  delivery: Delivery,
  lacking: Lacking,
  { now, margin }: { now: number; margin: number },
): StatementStatus {
  const { revision, isGood, mail, missing } = delivery;
  return {
    merchantCode: owner.merchantCode ?? null,
    group: owner.group ?? null,
    name,
    kind,
    period,
    state: stateOf(delivery, now < deadline + margin),
    revision: revision ?? null,
    final: revision === undefined ? null : isGood,
    mail,
    reason: missing,
    ...lacking,
    deadline: new Date(deadline).toISOString(),
  };
}

const NEEDS_LOOK: ReadonlySet<StatementState> = new Set(['provisional', 'bounced', 'held', 'missing']);

/** Whether a person has to look at it. */
export function statementNeedsLook({ state }: StatementStatus): boolean {
  return NEEDS_LOOK.has(state);
}
