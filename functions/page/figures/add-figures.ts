import type {
  INVOICE_STATES,
  Amounts,
  Counts,
  RefundFigures,
  RefundTotals,
} from '#records/figures/figure-schemas.ts';
import { formatAmount, parseSum } from '#records/money/money.ts';
import type { Thousandths } from '#records/money/money.ts';
import { NET_UNKNOWN, netThatCameIn } from './statement.ts';
import type { Net, StatementDay } from './statement.ts';
import { dayNet } from '#records/figures/day-net.ts';
import { redactedBreakdown } from '#records/figures/breakdown.ts';
import { redactedReceived } from '#records/figures/outcome-tally.ts';
import type { Received } from '#records/figures/invoice-outcomes.ts';
import { redactedColumns } from '#records/rows/redaction.ts';
import type { ChargeColumn } from '#records/figures/charges.ts';
import type { Manifest } from '#records/revision/manifest.ts';

/** Exact sums. What is unknown of one part is unknown of the sum: a null never counts as zero. */

export function addAmounts(amounts: Iterable<string>): string {
  let sum: Thousandths = 0n;
  for (const amount of amounts) sum += parseSum(amount);
  return formatAmount(sum);
}

export function allKnown<Value>(values: readonly (Value | null)[]): Value[] | null {
  const known: Value[] = [];
  for (const value of values) {
    if (value === null) return null;
    known.push(value);
  }
  return known;
}

export function addKnownAmounts(amounts: readonly (string | null)[]): string | null {
  const known = allKnown(amounts);
  return known && addAmounts(known);
}

function addKnownCounts(counts: readonly (number | null)[]): number | null {
  return allKnown(counts)?.reduce((sum, count) => sum + count, 0) ?? null;
}

export function addCounts(parts: readonly Counts[]): Counts {
  const sum = (name: keyof Counts) => addKnownCounts(parts.map((counts) => counts[name]));
  return {
    total: sum('total'),
    paid: sum('paid'),
    notPaid: sum('notPaid'),
    cancelled: sum('cancelled'),
    other: sum('other'),
  };
}

/** The sum by state; `null` when a part has none, because the registry named no states. */
export function addStateAmounts(parts: readonly (Amounts | null)[]): Amounts | null {
  const known = allKnown(parts);
  if (known === null) return null;
  const sum = (state: (typeof INVOICE_STATES)[number]) => addAmounts(known.map((amounts) => amounts[state]));
  return { paid: sum('paid'), notPaid: sum('notPaid'), cancelled: sum('cancelled'), other: sum('other') };
}

function addRefundTotals(parts: readonly RefundTotals[]): RefundTotals {
  const total = (ofOne: readonly { count: number; total: string | null }[]) => ({
    count: ofOne.reduce((sum, { count }) => sum + count, 0),
    total: addKnownAmounts(ofOne.map((one) => one.total)),
  });
  const byStatus = Map.groupBy(
    parts.flatMap((part) => Object.entries(part.byStatus)),
    ([status]) => status,
  );
  return {
    ...total(parts),
    byStatus: Object.fromEntries(
      [...byStatus.keys()]
        .sort()
        .map((status) => [status, total((byStatus.get(status) ?? []).map(([, of]) => of))]),
    ),
  };
}

function addRefunds(parts: readonly RefundFigures[]): RefundFigures {
  return {
    ...addRefundTotals(parts),
    saleBasis: addRefundTotals(parts.map(({ saleBasis }) => saleBasis)),
  };
}

/** The sum of nets that came in. The merchant may bear other charges on one day than on another: each has its own. */
function addNets(parts: readonly Net[]): Net {
  const columns = new Set(parts.flatMap(({ chargeColumns }) => chargeColumns));
  const unknown = new Set(parts.flatMap((part) => part.unknown));
  return {
    basis: 'cameIn',
    received: addKnownAmounts(parts.map(({ received }) => received)),
    refunded: addKnownAmounts(parts.map(({ refunded }) => refunded)),
    pending: {
      count: parts.reduce((sum, { pending }) => sum + pending.count, 0),
      total: addKnownAmounts(parts.map(({ pending }) => pending.total)),
    },
    chargeColumns: [...columns],
    charges: addKnownAmounts(parts.map(({ charges }) => charges)),
    net: addKnownAmounts(parts.map(({ net }) => net)),
    unknown: NET_UNKNOWN.filter((why) => unknown.has(why)),
  };
}

/** @param columns the registry's `charges` */
export function netOfPage(manifest: Manifest, columns: readonly ChargeColumn[]): Net {
  const { basis, received, refunded, pending, charges, net, unknown } = dayNet(manifest, columns);
  return netThatCameIn({
    basis,
    received,
    refunded,
    pending,
    chargeColumns: [...columns],
    charges: charges.kind === 'known' ? charges.total : charges.kind === 'none' ? addAmounts([]) : null,
    net,
    unknown: [...unknown],
  });
}

export function statementDay(manifest: Manifest, columns: readonly ChargeColumn[]): StatementDay {
  const { day, revision, balanced, counts, amounts, refunds } = manifest;
  return {
    day,
    revision,
    balanced,
    counts,
    amounts,
    refunds,
    net: netOfPage(manifest, columns),
    received: manifest.received && withoutParts(manifest.received),
  };
}

/** The methods and charges of a whole period are enough. */
function withoutParts({ byMethod: _methods, charges: _charges, ...received }: Received) {
  return received;
}

/** Without what the registry redacts now. @param redact names of columns */
export function redactedPage(page: Manifest, redact: readonly string[]): Manifest {
  const columns = redactedColumns(redact);
  if (columns.size === 0) return page;
  const { breakdown, received } = page;
  return {
    ...page,
    breakdown: breakdown && redactedBreakdown(breakdown, columns),
    received: received && redactedReceived(received, columns),
  };
}

export interface Sums {
  counts: Counts;
  amounts: Amounts | null;
  refunds: RefundFigures;
  net: Net;
}

export function addSums(parts: readonly Sums[]): Sums {
  return {
    counts: addCounts(parts.map(({ counts }) => counts)),
    amounts: addStateAmounts(parts.map(({ amounts }) => amounts)),
    refunds: addRefunds(parts.map(({ refunds }) => refunds)),
    net: addNets(parts.map(({ net }) => net)),
  };
}

/** The sums of each currency, in the order of their codes. Amounts of different currencies are never added. */
export function addByCurrency<Part extends Sums>(
  parts: readonly Part[],
  currencyOf: (part: Part) => string,
): (Sums & { currency: string; parts: number })[] {
  return [...Map.groupBy(parts, currencyOf)]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([currency, of]) => ({ currency, parts: of.length, ...addSums(of) }));
}
