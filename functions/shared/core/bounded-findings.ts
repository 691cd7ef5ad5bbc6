import type { FoundDifference } from './comparisons.ts';

/*
 * A service that invents ids for every row must not make a manifest that cannot be read any more. What is left out of it
 * is counted; the rows themselves are in the files. Names are bounded where they are counted (`records/name-tally.ts`).
 */

/** Lines that one comparison has in a manifest; the last says how many more there are. An answer has as many. */
const MOST_OF_A_COMPARISON = 100;
/** Refund ids that a manifest remembers as gone; each has 30 digits at most. */
export const MOST_MISSING_REFUNDS = 20_000;

/** The differences, of each comparison a hundred lines at most: the last one says how many more there are. */
export function boundedDifferences(differences: readonly FoundDifference[]): FoundDifference[] {
  const byComparison = Map.groupBy(differences, ({ name }) => name);
  return [...byComparison].flatMap(([name, those]): FoundDifference[] => {
    if (those.length <= MOST_OF_A_COMPARISON) return those;
    const shown = those.slice(0, MOST_OF_A_COMPARISON - 1);
    const left = those.length - shown.length;
    const more = { name, what: `more of the comparison ${name}`, service: left, rows: null };
    return [...shown, more];
  });
}
