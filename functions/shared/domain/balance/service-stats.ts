import type { Counts } from '../figures/figures.ts';
import { LARGEST_COUNT_OF_DAY } from '../money/sealed.ts';

/**
 * The service's own counts in the `stats` of an invoice list (docs/contract.md, 2.2 Invoice list response).
 * `null`: the service did not say.
 */
export interface ServiceStats {
  total: number | null;
  paid: number | null;
  notPaid: number | null;
  cancelled: number | null;
}

/** What the first page of an invoice type states. */
export interface StatedType {
  /** `pagination.total` */
  paginationTotal: number;
  stats: ServiceStats;
}

/** `null` for a count that no day can have. */
function credible(count: number | null): number | null {
  return count === null || Math.abs(count) > LARGEST_COUNT_OF_DAY ? null : count;
}

function sum(values: readonly (number | null)[]): number | null {
  return values.reduce((total, value) => (total === null || value === null ? null : total + value), 0);
}

/** How far the stated totals are from the expected ones. */
function distance(types: readonly StatedType[], expected: (type: StatedType) => number): number {
  return types.reduce(
    (total, type) =>
      type.stats.total === null ? total : total + Math.abs(type.stats.total - expected(type)),
    0,
  );
}

/** The value that all of them state, `null` when they disagree. */
function common(values: readonly (number | null)[]): number | null {
  const [first = null, ...others] = values;
  return others.every((value) => value === first) ? first : null;
}

/** How the counts of several answers are joined; see {@link serviceStats}. */
function joining(
  types: readonly StatedType[],
  invoices: number,
): (values: readonly (number | null)[]) => number | null {
  const ofAll = distance(types, () => invoices);
  const ofOwn = distance(types, (type) => type.paginationTotal);
  if (ofAll !== ofOwn) return ofAll < ofOwn ? common : sum;
  const isAmbiguous = types.length > 1 && types.some((type) => type.stats.total === null);
  // Both meanings are possible when each type's own total equals the total of all: the service gave the same
  // invoices for every type.
  return isAmbiguous ? () => null : common;
}

/**
 * The service's counts of the day (docs/contract.md, 2.2 Invoice list response). It is not known whether the
 * `stats` of an answer cover its own type or all types, so the totals decide. When they are nearer to the
 * total of all invoices, they cover all types and count once; a count on which they disagree is unknown.
 * Otherwise each covers its own type, and they are added up. When too little is stated to decide, nothing is
 * known: adding up could count four times.
 *
 * @param invoices the number of invoices of all types together
 */
export function serviceStats(types: readonly StatedType[], invoices: number): ServiceStats {
  const join = joining(types, invoices);
  const joined = (name: keyof ServiceStats) => credible(join(types.map((type) => type.stats[name])));
  return {
    total: joined('total'),
    paid: joined('paid'),
    notPaid: joined('notPaid'),
    cancelled: joined('cancelled'),
  };
}

/** The counts of {@link serviceStats}, and the number of invoices in no state of `stats`. */
export function serviceCounts(types: readonly StatedType[], invoices: number): Counts {
  const stats = serviceStats(types, invoices);
  const named = sum([stats.paid, stats.notPaid, stats.cancelled]);
  const other = stats.total === null || named === null ? null : credible(stats.total - named);
  return { ...stats, other };
}
