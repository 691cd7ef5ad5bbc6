import type { FoundDifference } from './comparisons.ts';
import type { Difference } from '../figures/figures.ts';

/*
 * A service that invents ids for every row must not make a manifest that is too large to be read. The manifest lists the
 * first ones and counts the others; the files have all rows. Names are bounded where they are counted
 * (`records/name-tally.ts`).
 */

const MORE = 'more of the comparison ';

/** So many lines of one comparison are in a manifest, and in an answer; the last one counts the others. */
const MOST_OF_A_COMPARISON = 100;
/** So many ids of refunds that are gone are kept in a manifest; each has 30 digits at most. */
export const MOST_MISSING_REFUNDS = 20_000;

/** Of each comparison a hundred differences at most: where there are more, the last one counts the others. */
export function boundedDifferences(differences: readonly FoundDifference[]): FoundDifference[] {
  const byComparison = Map.groupBy(differences, ({ name }) => name);
  return [...byComparison].flatMap(([name, those]): FoundDifference[] => {
    if (those.length <= MOST_OF_A_COMPARISON) return those;
    const listed = those.slice(0, MOST_OF_A_COMPARISON - 1);
    const left = those.length - listed.length;
    return [...listed, { name, what: `${MORE}${name}`, service: left, rows: null }];
  });
}

/** How many differences are counted and not listed: those of one that {@link boundedDifferences} added; else 0. */
export function unlistedIn({ what, service }: Difference): number {
  return what.startsWith(MORE) && typeof service === 'number' ? service : 0;
}
