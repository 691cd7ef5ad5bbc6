import type { Counts, Difference, InvoiceState } from './figures.ts';

/** What the service says of itself in an invoice list's `stats` (contract: stats); `null` is "it did not say". */
export interface ServiceStats {
  total: number | null;
  paid: number | null;
  notPaid: number | null;
  cancelled: number | null;
}

/** What the first page of an invoice type says. */
export interface StatedType {
  /** `pagination.total` */
  paginationTotal: number;
  stats: ServiceStats;
}

/** One invoice type as it was read: the service's word, and the rows that came. */
export interface TypeReading extends StatedType {
  invoiceType: string;
  /** Rows on all of its pages, those that came twice included. */
  rows: number;
}

/** A refund list as it was read; `null` members are what the service did not say. */
export interface RefundListReading {
  statedCount: number | null;
  /** Decimal string. */
  statedAmount: string | null;
  listed: number;
  /** Decimal string; `null` where the list's records show no amounts. */
  listedAmount: string | null;
}

export interface BalanceInput {
  types: readonly TypeReading[];
  /** Invoices with different ids. */
  uniqueInvoices: number;
  /** Rows by state, where the registry says what the statuses mean. */
  rowCounts: Record<InvoiceState, number> | null;
  refundList: RefundListReading | null;
  missingRefundIds: readonly string[];
  /** Whether the pages kept moving in every pull that was tried. */
  unstable: boolean;
}

export interface Balance {
  counts: Counts;
  differences: Difference[];
}

const STATS = ['total', 'paid', 'notPaid', 'cancelled'] as const;
const STATS_MEMBERS = {
  total: 'stats.total_invoice_count',
  paid: 'stats.invoice_paid',
  notPaid: 'stats.invoice_not_paid',
  cancelled: 'stats.invoice_cancelled',
} as const;

function sum(values: readonly (number | null)[]): number | null {
  return values.reduce((total, value) => (total === null || value === null ? null : total + value), 0);
}

/** How far the totals that are stated lie from what each of them should be. */
function distance(types: readonly StatedType[], expected: (type: StatedType) => number): number {
  return types.reduce(
    (total, type) =>
      type.stats.total === null ? total : total + Math.abs(type.stats.total - expected(type)),
    0,
  );
}

/** What all of them say, `null` where they disagree. */
function common(values: readonly (number | null)[]): number | null {
  const [first = null, ...others] = values;
  return others.every((value) => value === first) ? first : null;
}

/** How the counts of several answers make one; see {@link serviceStats}. */
function joining(
  types: readonly StatedType[],
  invoices: number,
): (values: readonly (number | null)[]) => number | null {
  const ofAll = distance(types, () => invoices);
  const ofOwn = distance(types, (type) => type.paginationTotal);
  if (ofAll !== ofOwn) return ofAll < ofOwn ? common : sum;
  const cannotBeTold = types.length > 1 && types.some((type) => type.stats.total === null);
  // Both fit where each type's own total is that of all: the service gave the same invoices for every type.
  return cannotBeTold ? () => null : common;
}

/**
 * The service's counts of the day. Whether each answer's `stats` covers its own type or all types is not said, so
 * the totals decide: where they lie nearer to that of all invoices than to that of each type's own, they are over all
 * types and count once, and what they disagree on is not known; otherwise each is of its type and they add up. Where
 * too little is stated to decide, nothing is known: adding up could count four times.
 *
 * @param invoices how many there are in all types together
 */
export function serviceStats(types: readonly StatedType[], invoices: number): ServiceStats {
  const join = joining(types, invoices);
  const joined = (name: keyof ServiceStats) => join(types.map((type) => type.stats[name]));
  return {
    total: joined('total'),
    paid: joined('paid'),
    notPaid: joined('notPaid'),
    cancelled: joined('cancelled'),
  };
}

/** Those counts ({@link serviceStats}), and beside them the invoices that are in no state of `stats`. */
export function serviceCounts(types: readonly StatedType[], invoices: number): Counts {
  const stats = serviceStats(types, invoices);
  const named = sum([stats.paid, stats.notPaid, stats.cancelled]);
  const other = stats.total === null || named === null ? null : stats.total - named;
  return { ...stats, other };
}

function pageDifferences(input: BalanceInput): Difference[] {
  const differences: Difference[] = input.types
    .filter((type) => type.rows !== type.paginationTotal)
    .map((type) => ({
      what: `pagination.total of invoiceType ${type.invoiceType}`,
      service: type.paginationTotal,
      rows: type.rows,
    }));
  const pulled = input.types.reduce((total, type) => total + type.rows, 0);
  if (pulled !== input.uniqueInvoices) {
    differences.push({ what: 'unique invoice ids', service: pulled, rows: input.uniqueInvoices });
  }
  if (input.unstable) {
    differences.push({
      what: 'pages while they were read',
      service: 'kept changing',
      rows: 'read three times',
    });
  }
  return differences;
}

function countDifferences(input: BalanceInput, counts: Counts): Difference[] {
  const { uniqueInvoices, rowCounts } = input;
  const differences: Difference[] = [];
  for (const name of STATS) {
    const rows = name === 'total' ? uniqueInvoices : (rowCounts?.[name] ?? null);
    const service = counts[name];
    if (service === null || (rows !== null && rows !== service)) {
      differences.push({ what: STATS_MEMBERS[name], service, rows });
    }
  }
  if (
    counts.other !== null &&
    (counts.other < 0 || (rowCounts !== null && rowCounts.other !== counts.other))
  ) {
    differences.push({
      what: 'invoices in no state of stats',
      service: counts.other,
      rows: rowCounts?.other ?? null,
    });
  }
  return differences;
}

function refundDifferences(input: BalanceInput): Difference[] {
  const differences: Difference[] = [];
  const list = input.refundList;
  if (list !== null && list.statedCount !== null && list.statedCount !== list.listed) {
    differences.push({ what: 'refund list, count', service: list.statedCount, rows: list.listed });
  }
  if (
    list !== null &&
    list.statedAmount !== null &&
    list.listedAmount !== null &&
    list.statedAmount !== list.listedAmount
  ) {
    differences.push({ what: 'refund list, amount', service: list.statedAmount, rows: list.listedAmount });
  }
  for (const id of input.missingRefundIds) {
    differences.push({ what: `refund ${id}`, service: 'not found', rows: null });
  }
  return differences;
}

/**
 * Compares rows pulled, unique ids, `pagination.total` and the service's own `stats`, and spells out whatever
 * disagrees. A day is balanced when nothing does and every count is known.
 */
export function balance(input: BalanceInput): Balance {
  const counts = serviceCounts(input.types, input.uniqueInvoices);
  return {
    counts,
    differences: [...pageDifferences(input), ...countDifferences(input, counts), ...refundDifferences(input)],
  };
}
