import type { FoundDifference } from './comparisons.ts';
import type { Difference } from '../figures/figures.ts';

/*
 * A service that invents ids for every row must not cause a manifest that is too large to be read. The
 * manifest lists the first findings and counts the others; the files have all rows. Names are limited where
 * they are counted (`records/name-tally.ts`).
 */

const MORE = 'more of the comparison ';

/** The most lines of one comparison in a manifest and in an answer. The last one counts the others. */
const MOST_OF_A_COMPARISON = 100;
/** The most ids of missing refunds in a manifest. Each has 30 digits at most. */
export const MOST_MISSING_REFUNDS = 20_000;

/** At most a hundred differences of each comparison. When there are more, the last one counts the others. */
export function boundedDifferences(differences: readonly FoundDifference[]): FoundDifference[] {
  const byComparison = Map.groupBy(differences, ({ name }) => name);
  return [...byComparison].flatMap(([name, those]): FoundDifference[] => {
    if (those.length <= MOST_OF_A_COMPARISON) return those;
    const listed = those.slice(0, MOST_OF_A_COMPARISON - 1);
    const left = those.length - listed.length;
    return [...listed, { name, what: `${MORE}${name}`, service: left, rows: null }];
  });
}

/**
 * How many differences are counted and not listed: of one that {@link boundedDifferences} added. Otherwise 0.
 */
export function unlistedIn({ what, service }: Difference): number {
  return what.startsWith(MORE) && typeof service === 'number' ? service : 0;
}
