import * as z from 'zod';
import { formatAmount, parseSum, sealedTypes } from '../money/money.ts';
import type { Extent } from '../money/money.ts';
import type { Manifest } from '../revision/manifest.ts';
import { bornCharges, CHARGE_COLUMNS } from './charges.ts';
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

function netSchemaOf(extent: Extent) {
  const { count, amount } = sealedTypes(extent);
  return z.lazy(() =>
    z.object({
      /** `cameIn`: by the day of payment. `made`: paid invoices that were made then, of an earlier version's page. */
      basis: z.enum(['cameIn', 'made']).default('made'),
      /** What came in; `null` when it is unknown which invoices are paid. */
      received: amount.nullable(),
      /** Approved refunds by their date; `null` when it is unknown which are approved. */
      refunded: amount.nullable(),
      /** Refunds not decided yet; not in `refunded`. */
      pending: z.object({ count, total: amount.nullable() }),
      /** That the merchant bears. */
      chargeColumns: z.array(z.enum(CHARGE_COLUMNS)),
      /** Their sum, of what came in; `null` when unknown. */
      charges: amount.nullable(),
      /** `received` less `refunded` less `charges`; `null` when one is unknown or a day does not balance. */
      net: amount.nullable(),
      /** Empty when the net is known. */
      unknown: z.array(z.enum(NET_UNKNOWN)),
    }),
  );
}

export const periodNetSchema = netSchemaOf('period');
export const netSchema = netSchemaOf('group');
/** Of a day or a longer period: `null` when unknown of one of its days. Decimal strings with three fraction digits. */
export type Net = z.infer<typeof netSchema>;

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

/** All by the day on which it happened, exact, in thousandths. `columns`: charges that the merchant bears. */
export function dayNet(sealed: NetInput, columns: readonly ChargeColumn[]): Net {
  const { received: cameIn, amounts, breakdown, refunds, balanced } = sealed;
  const basis = cameIn === null && amounts !== null ? 'made' : 'cameIn';
  const received = cameIn?.sum ?? amounts?.paid ?? null;
  const charges = bornCharges(cameIn === null ? breakdown?.charges : cameIn.charges, columns);
  const refunded = approvedTotal(sealed);
  const unknown: (typeof NET_UNKNOWN)[number][] = [
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
