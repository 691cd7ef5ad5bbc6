import type { FoundDifference } from './comparisons.ts';

/*
 * A service that invents ids for every row must not make a manifest that cannot be read any more. What is left out of it
 * is counted; the rows themselves are in the files. Names are bounded where they are counted (`records/name-tally.ts`).
 */

/** Differences of one comparison that are spelled out. */
const MOST_OF_A_COMPARISON = 100;
/** Refund ids that a manifest remembers as gone; each has 30 digits at most. */
export const MOST_MISSING_REFUNDS = 20_000;

/** The differences, of each comparison the first hundred and how many more. */
export function boundedDifferences(differences: readonly FoundDifference[]): FoundDifference[] {
  const byComparison = Map.groupBy(differences, ({ name }) => name);
  return [...byComparison].flatMap(([name, those]): FoundDifference[] => {
    const left = those.length - MOST_OF_A_COMPARISON;
    if (left <= 0) return those;
    const more = { name, what: `more of the comparison ${name}`, service: left, rows: null };
    return [...those.slice(0, MOST_OF_A_COMPARISON), more];
  });
}
