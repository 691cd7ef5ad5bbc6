import * as z from 'zod';
import type { Difference } from '../figures/figure-schemas.ts';

/** Stable: registries use them in `balance.ignore`, manifests store them (docs/registry.md, "What is compared"). */
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
  'transactionCount',
  'transactionAmount',
  'transactionMethods',
  'transactionIds',
] as const;
export type Comparison = (typeof COMPARISONS)[number];

export type FoundDifference = Difference & { name: Comparison };

export function isComparison(name: string): name is Comparison {
  return COMPARISONS.some((known) => known === name);
}

export const balanceSchema = z.lazy(() =>
  z.object({
    /** An unknown name has no effect. */
    ignore: z.array(z.string().min(1).max(64)).max(50).default([]),
  }),
);

/** Comparisons to leave out that do not exist: misspelt, or of another version. */
export function unknownComparisons(balance: unknown): { index: number; name: string }[] {
  const ignore = balanceSchema.safeParse(balance).data?.ignore ?? [];
  return ignore.flatMap((name, index) => (isComparison(name) ? [] : [{ index, name }]));
}

const MORE = 'more of the comparison ';
const MOST_OF_A_COMPARISON = 100;
/** The most ids of missing refunds in a manifest. Each has 30 digits at most. */
export const MOST_MISSING_REFUNDS = 20_000;

/** At most a hundred of each, the last one counts the others: invented ids must not make a manifest unreadable. */
export function boundedDifferences(differences: readonly FoundDifference[]): FoundDifference[] {
  const byComparison = Map.groupBy(differences, ({ name }) => name);
  return [...byComparison].flatMap(([name, those]): FoundDifference[] => {
    if (those.length <= MOST_OF_A_COMPARISON) return those;
    const listed = those.slice(0, MOST_OF_A_COMPARISON - 1);
    const left = those.length - listed.length;
    return [...listed, { name, what: `${MORE}${name}`, service: left, rows: null }];
  });
}

/** Apart, those that count and those that the registry leaves out. @param ignore names of comparisons */
export function comparedAs(found: readonly FoundDifference[], ignore: readonly string[]) {
  const isIgnored = ({ name }: FoundDifference) => ignore.includes(name);
  return {
    differences: boundedDifferences(found.filter((one) => !isIgnored(one))),
    notCompared: boundedDifferences(found.filter(isIgnored)),
  };
}

/** How many differences are counted and not listed, by one that {@link boundedDifferences} added; else 0. */
export function unlistedIn({ what, service }: Difference): number {
  return what.startsWith(MORE) && typeof service === 'number' ? service : 0;
}
