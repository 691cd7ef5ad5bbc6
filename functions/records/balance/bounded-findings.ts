import type { FoundDifference } from './comparisons.ts';
import type { Difference } from '../figures/figures.ts';

/**
 * A service that invents ids must not make a manifest too large to read: it lists the first findings and
 * counts the others.
 */

const MORE = 'more of the comparison ';

/** The last one counts the others. */
const MOST_OF_A_COMPARISON = 100;
/** The most ids of missing refunds in a manifest. Each has 30 digits at most. */
export const MOST_MISSING_REFUNDS = 20_000;

/** At most a hundred of each comparison; the last one counts the others. */
export function boundedDifferences(differences: readonly FoundDifference[]): FoundDifference[] {
  const byComparison = Map.groupBy(differences, ({ name }) => name);
  return [...byComparison].flatMap(([name, those]): FoundDifference[] => {
    if (those.length <= MOST_OF_A_COMPARISON) return those;
    const listed = those.slice(0, MOST_OF_A_COMPARISON - 1);
    const left = those.length - listed.length;
    return [...listed, { name, what: `${MORE}${name}`, service: left, rows: null }];
  });
}

/** How many differences are counted and not listed, by one that {@link boundedDifferences} added; else 0. */
export function unlistedIn({ what, service }: Difference): number {
  return what.startsWith(MORE) && typeof service === 'number' ? service : 0;
}
