import { formatAmount, parseSum } from '../money/money.ts';
import type { Manifest } from '../revision/manifest.ts';
import { bornCharges } from './charges.ts';
import type { ChargeColumn } from './charges.ts';
import type { RefundTotals } from './figure-schemas.ts';

const APPROVED = 'approved';
export const PENDING = 'pending';
const OTHER = 'other';

/**
 * `unbalanced`: the service's figures differ. `states`: it is unknown which invoices are paid, and the
 * service does not confirm their number. `refunds`: it is unknown which are approved, or one has no date.
 * `charges`: one is unknown. `currencies`: the days are of several. `payments`: a page of an earlier version does
 * not say what came in.
 */
export const NET_UNKNOWN = ['unbalanced', 'states', 'refunds', 'charges', 'currencies', 'payments'] as const;
type NetUnknown = (typeof NET_UNKNOWN)[number];

/** Of a day, in the form of a longer period. Decimal strings with three fraction digits. */
export interface DayNet {
  /**
   * `cameIn`: by the day of the payment. `made`: the paid invoices that were made on the day, of a page of an
   * earlier version.
   */
  basis: 'cameIn' | 'made';
  /** What came in; `null` when it is unknown which invoices are paid. */
  received: string | null;
  /** Approved refunds by their date; `null` when it is unknown which are approved. */
  refunded: string | null;
  /** Refunds not decided yet; not in `refunded`. */
  pending: { count: number; total: string | null };
  /** Those that the merchant bears. */
  chargeColumns: ChargeColumn[];
  /** Of what came in, in these columns; `null` when one is unknown. */
  charges: string | null;
  /** `received` less `refunded` less the charges; `null` when unknown. */
  net: string | null;
  /** Empty when the net is known. */
  unknown: NetUnknown[];
}

type NetInput = Pick<Manifest, 'amounts' | 'received' | 'breakdown' | 'refunds' | 'balanced' | 'drift'> & {
  readonly notCompared: readonly Manifest['notCompared'][number][];
};

/** `null` when the registry has no word for approved refunds or a status of the day, or a refund no date. */
function approvedTotal({ refunds, drift }: NetInput): string | null {
  const has = ({ byStatus }: Pick<RefundTotals, 'byStatus'>, status: string) =>
    (byStatus[status]?.count ?? 0) > 0;
  // A refund without a date was perhaps given on this day.
  if (has(drift.refundsWithoutDay, APPROVED) || has(drift.refundsWithoutDay, OTHER)) return null;
  if (refunds.count === 0) return formatAmount(0n);
  const unnamed = Object.keys(drift.unknownRefundStatuses).length + drift.notListed.refundStatuses;
  if (unnamed > 0 && has(refunds, OTHER)) return null;
  return refunds.byStatus[APPROVED]?.total ?? null;
}

/** A status without a name may mean paid, unless the service's own number of paid invoices agrees. */
function isPaidUnsure({ drift, notCompared }: NetInput): boolean {
  const unnamed = Object.keys(drift.unknownInvoiceStatuses).length + drift.notListed.invoiceStatuses;
  return unnamed > 0 && notCompared.some(({ name }) => name === 'statsPaid');
}

/**
 * What came in, what went back and what is left, all by the day on which it happened. Exact, in thousandths.
 * @param columns of charges that the merchant bears
 */
export function dayNet(sealed: NetInput, columns: readonly ChargeColumn[]): DayNet {
  const { received: cameIn, amounts, breakdown, refunds, balanced } = sealed;
  const basis = cameIn === null && amounts !== null ? 'made' : 'cameIn';
  const received = cameIn?.sum ?? amounts?.paid ?? null;
  const born = bornCharges(cameIn === null ? breakdown?.charges : cameIn.charges, columns);
  const charges = born.kind === 'known' ? born.total : born.kind === 'none' ? formatAmount(0n) : null;
  const refunded = approvedTotal(sealed);
  const unknown: NetUnknown[] = [
    ...(balanced ? [] : ['unbalanced' as const]),
    ...(received === null || isPaidUnsure(sealed) ? ['states' as const] : []),
    ...(refunded === null ? ['refunds' as const] : []),
    // Without states the charges are unknown for the same reason. That reason is given once.
    ...(charges === null && received !== null ? ['charges' as const] : []),
  ];
  return {
    basis,
    received,
    refunded,
    pending: refunds.byStatus[PENDING] ?? { count: 0, total: formatAmount(0n) },
    chargeColumns: [...columns],
    charges,
    net:
      unknown.length === 0 && received !== null && refunded !== null && charges !== null
        ? formatAmount(parseSum(received) - parseSum(refunded) - parseSum(charges))
        : null,
    unknown,
  };
}
