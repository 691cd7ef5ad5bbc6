import type { Amounts, Counts, RefundFigures, RefundTotals } from '#records/figures/figure-schemas.ts';
import { ofEachState } from '#records/figures/invoice-state-totals.ts';
import { addAmounts, allKnown } from '#records/money/money.ts';
import { netThatCameIn } from './statement.ts';
import type { StatementDay } from './statement.ts';
import { dayNet, NET_UNKNOWN } from '#records/figures/day-net.ts';
import type { Net } from '#records/figures/day-net.ts';
import { redactedBreakdown } from '#records/figures/breakdown.ts';
import { redactedReceived } from '#records/figures/outcome-tally.ts';
import type { Received } from '#records/figures/invoice-outcomes.ts';
import { redactedColumns } from '#records/rows/redaction.ts';
import type { ChargeColumn } from '#records/figures/charges.ts';
import type { Manifest } from '#records/revision/manifest.ts';

/* Exact sums. What is unknown of one part is unknown of the sum: a null never counts as zero. */

function addKnownAmounts(amounts: readonly (string | null)[]): string | null {
  const known = allKnown(amounts);
  return known && addAmounts(known);
}

function addCounts(parts: readonly Counts[]): Counts {
  const sum = (name: keyof Counts) =>
    allKnown(parts.map((counts) => counts[name]))?.reduce((all, count) => all + count, 0) ?? null;
  return { total: sum('total'), ...ofEachState(sum) };
}

/** The sum by state; `null` when a part has none, because the registry named no states. */
function addStateAmounts(parts: readonly (Amounts | null)[]): Amounts | null {
  const known = allKnown(parts);
  return known && ofEachState((state) => addAmounts(known.map((amounts) => amounts[state])));
}

function addTotals(parts: readonly { count: number; total: string | null }[]) {
  return {
    count: parts.reduce((sum, { count }) => sum + count, 0),
    total: addKnownAmounts(parts.map(({ total }) => total)),
  };
}

function addRefundTotals(parts: readonly RefundTotals[]): RefundTotals {
  const byStatus = Map.groupBy(
    parts.flatMap((part) => Object.entries(part.byStatus)),
    ([status]) => status,
  );
  const inOrder = [...byStatus].sort(([one], [other]) => (one < other ? -1 : 1));
  return {
    ...addTotals(parts),
    byStatus: Object.fromEntries(
      inOrder.map(([status, of]) => [status, addTotals(of.map(([, total]) => total))]),
    ),
  };
}

/** The sum of nets that came in. The merchant may bear other charges on one day than on another: each has its own. */
function addNets(parts: readonly Net[]): Net {
  const unknown = new Set(parts.flatMap((part) => part.unknown));
  const sum = (name: 'received' | 'refunded' | 'charges' | 'net') =>
    addKnownAmounts(parts.map((part) => part[name]));
  return {
    basis: 'cameIn',
    received: sum('received'),
    refunded: sum('refunded'),
    pending: addTotals(parts.map(({ pending }) => pending)),
    chargeColumns: [...new Set(parts.flatMap(({ chargeColumns }) => chargeColumns))],
    charges: sum('charges'),
    net: sum('net'),
    unknown: NET_UNKNOWN.filter((why) => unknown.has(why)),
  };
}

/** @param columns the registry's `charges` */
export function netOfPage(manifest: Manifest, columns: readonly ChargeColumn[]): Net {
  return netThatCameIn(dayNet(manifest, columns));
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
    refunds: {
      ...addRefundTotals(parts.map(({ refunds }) => refunds)),
      saleBasis: addRefundTotals(parts.map(({ refunds }) => refunds.saleBasis)),
    },
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
