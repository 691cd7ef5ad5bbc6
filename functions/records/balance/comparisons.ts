import type { Difference } from '../figures/figures.ts';

/**
 * Stable names: registries use them in `balance.ignore`, manifests store them (docs/registry.md, "What is
 * compared").
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

export type FoundDifference = Difference & { name: Comparison };

const known: ReadonlySet<string> = new Set(COMPARISONS);

export function isComparison(name: string): name is Comparison {
  return known.has(name);
}
