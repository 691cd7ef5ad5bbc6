import { formatAmount, parseSum } from '../money/money.ts';
import type { Manifest } from '../revision/manifest.ts';
import type { DayCharges } from './charges.ts';
import type { RefundTotals } from './figures.ts';

/** The registry's name of refunds that were given. */
const APPROVED = 'approved';
/** The registry's name of refunds that are not decided yet. */
const PENDING = 'pending';
/** The name of a status that the registry does not name. The registry may use the word itself. */
const OTHER = 'other';

/**
 * Why a net is unknown:
 *
 * - `unbalanced`: the day's figures do not agree with the service's
 * - `states`: the registry does not say which invoices are paid, or an invoice has a status without a name and
 *   the service does not confirm the number of paid ones
 * - `refunds`: the registry does not say which of the day's refunds are approved, or one that may be approved has no date
 * - `charges`: a charge is unknown
 * - `currencies`: the days of a longer time are of several currencies
 */
export type NetUnknown = 'unbalanced' | 'states' | 'refunds' | 'charges' | 'currencies';

/** What came in on a day, what went back, and what is left. Decimal strings with three fraction digits. */
export interface DayNet {
  /** The sum of the paid invoices. `null` when the registry does not say which are paid. */
  received: string | null;
  /** The day's approved refunds, by the date of the refund. `null` when it is not known which are approved. */
  refunded: string | null;
  /** The day's refunds that are not decided yet, by the date of the refund. They are not in `refunded`. */
  pending: { count: number; total: string | null };
  charges: DayCharges;
  /** `received` less `refunded` less the charges. `null` when it is not known. */
  net: string | null;
  /** Why the net is unknown. Empty when it is known. */
  unknown: readonly NetUnknown[];
}

/** The parts of a sealed revision that the net is made of. */
export type NetInput = Pick<Manifest, 'amounts' | 'refunds' | 'balanced' | 'drift'> & {
  readonly notCompared: readonly Manifest['notCompared'][number][];
};

function hasUnnamedRefunds({ byStatus }: RefundTotals, { drift }: NetInput): boolean {
  const unnamed = Object.keys(drift.unknownRefundStatuses).length + drift.notListed.refundStatuses;
  return unnamed > 0 && Object.hasOwn(byStatus, OTHER) && (byStatus[OTHER]?.count ?? 0) > 0;
}

/** Whether a refund without a usable date was given, or may have been: perhaps on this day. */
function hasGivenWithoutDay({ drift: { refundsWithoutDay } }: NetInput): boolean {
  return Object.entries(refundsWithoutDay.byStatus).some(
    ([status, { count }]) => count > 0 && (status === APPROVED || status === OTHER),
  );
}

/**
 * `null` when the registry has no word for approved refunds, or no word for a status of the day, or when an approved refund
 * has no usable date.
 */
function approvedTotal(input: NetInput): string | null {
  const { refunds } = input;
  if (hasGivenWithoutDay(input)) return null;
  if (refunds.count === 0) return formatAmount(0n);
  if (hasUnnamedRefunds(refunds, input) || !Object.hasOwn(refunds.byStatus, APPROVED)) return null;
  return refunds.byStatus[APPROVED]?.total ?? null;
}

/**
 * A status without a name counts as `other`, but it may mean paid. When the service's own number of paid
 * invoices agrees, it does not.
 */
function isPaidUnsure({ drift, notCompared }: NetInput): boolean {
  const unnamed = Object.keys(drift.unknownInvoiceStatuses).length + drift.notListed.invoiceStatuses;
  return unnamed > 0 && notCompared.some(({ name }) => name === 'statsPaid');
}

/** Of a day's figures: what came in, what went back, and what is left. Exact, in thousandths. */
export function dayNet(sealed: NetInput, charges: DayCharges): DayNet {
  const received = sealed.amounts?.paid ?? null;
  const refunded = approvedTotal(sealed);
  const unknown: NetUnknown[] = [
    ...(sealed.balanced ? [] : ['unbalanced' as const]),
    ...(received === null || isPaidUnsure(sealed) ? ['states' as const] : []),
    ...(refunded === null ? ['refunds' as const] : []),
    // Without states the charges are unknown for the same reason. That reason is given once.
    ...(charges.kind === 'unknown' && !(charges.why === 'states' && received === null)
      ? ['charges' as const]
      : []),
  ];
  const charged = charges.kind === 'known' ? parseSum(charges.total) : 0n;
  const pending = Object.hasOwn(sealed.refunds.byStatus, PENDING)
    ? sealed.refunds.byStatus[PENDING]
    : undefined;
  return {
    received,
    refunded,
    pending: pending ?? { count: 0, total: formatAmount(0n) },
    charges,
    net:
      unknown.length === 0 && received !== null && refunded !== null
        ? formatAmount(parseSum(received) - parseSum(refunded) - charged)
        : null,
    unknown,
  };
}
