import type { Counts } from '../figures/figures.ts';
import { LARGEST_COUNT_OF_DAY } from '../money/sealed.ts';

/**
 * `stats` of an invoice list (docs/contract.md, 2.2 Invoice list response). `null`: the service did not say.
 */
export interface ServiceStats {
  total: number | null;
  paid: number | null;
  notPaid: number | null;
  cancelled: number | null;
}

export interface StatedType {
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

function distance(types: readonly StatedType[], expected: (type: StatedType) => number): number {
  return types.reduce(
    (total, type) =>
      type.stats.total === null ? total : total + Math.abs(type.stats.total - expected(type)),
    0,
  );
}

function common(values: readonly (number | null)[]): number | null {
  const [first = null, ...others] = values;
  return others.every((value) => value === first) ? first : null;
}

function joining(
  types: readonly StatedType[],
  invoices: number,
): (values: readonly (number | null)[]) => number | null {
  const ofAll = distance(types, () => invoices);
  const ofOwn = distance(types, (type) => type.paginationTotal);
  if (ofAll !== ofOwn) return ofAll < ofOwn ? common : sum;
  const isAmbiguous = types.length > 1 && types.some((type) => type.stats.total === null);
  // Both meanings are possible when the service gave the same invoices for every type.
  return isAmbiguous ? () => null : common;
}

/**
 * The service's counts (docs/contract.md, 2.2 Invoice list response). `stats` may cover one type or all:
 * nearer to the total of all, they count once, else they are added up. With too little to decide, nothing is
 * known.
 * @param invoices of all types together
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

/** {@link serviceStats}, and the number of invoices in no state of `stats`. */
export function serviceCounts(types: readonly StatedType[], invoices: number): Counts {
  const stats = serviceStats(types, invoices);
  const named = sum([stats.paid, stats.notPaid, stats.cancelled]);
  const other = stats.total === null || named === null ? null : credible(stats.total - named);
  return { ...stats, other };
}
