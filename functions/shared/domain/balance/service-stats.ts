import type { Counts } from '../figures/figures.ts';

/**
 * What the service says of itself in an invoice list's `stats` (docs/contract.md, 2.2 Invoice list response); `null` is
 * "it did not say".
 */
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
