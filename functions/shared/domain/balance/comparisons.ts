import type { Difference } from '../figures/figures.ts';

/**
 * The comparisons that decide whether a day is balanced. Their names are stable: registries use them in
 * `balance.ignore`, and manifests store them. docs/registry.md, "What is compared" says what each compares.
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
/** The name of a comparison. */
export type Comparison = (typeof COMPARISONS)[number];

/** A difference, with the comparison that found it. */
export type FoundDifference = Difference & { name: Comparison };

const known: ReadonlySet<string> = new Set(COMPARISONS);

/** Whether there is a comparison with this name. */
export function isComparison(name: string): name is Comparison {
  return known.has(name);
}
