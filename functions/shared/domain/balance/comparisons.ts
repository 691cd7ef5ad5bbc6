import type { Difference } from '../figures/figures.ts';

/**
 * The comparisons that decide whether a day is balanced. Their names are stable: registries name them in
 * `balance.ignore`, and manifests keep them. What each compares is said in docs/registry.md, "What is compared".
 */
export const COMPARISONS = [
  'paginationTotal',
  'uniqueInvoiceIds',
  'stablePages',
  'invoiceType',
  'invoiceDay',
  'statsTotal',
  'statsPaid',
  'statsNotPaid',
  'statsCancelled',
  'statsOther',
  'refundListCount',
  'refundListAmount',
  'knownRefunds',
  'repeatedFields',
] as const;
export type Comparison = (typeof COMPARISONS)[number];

/** A difference, and which comparison found it. */
export type FoundDifference = Difference & { name: Comparison };

const known: ReadonlySet<string> = new Set(COMPARISONS);

/** Whether there is a comparison of this name. */
export function isComparison(name: string): name is Comparison {
  return known.has(name);
}
