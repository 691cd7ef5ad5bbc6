/**
 * How bad a missing report or statement is. 1: it arrived and needs a look. 2: it did not arrive, and a later run may
 * still bring it. 3: it does not arrive until a person acts.
 */
export type Badness = 1 | 2 | 3;

/** What ops know of one day or period since the last all-clear: the worst badness of each merchant or group. */
export type NotifiedProblems = ReadonlyMap<string, Badness>;

/** Whether trouble is worse than anything that ops know of the merchant or group. */
export function isWorse(told: NotifiedProblems, name: string, badness: Badness): boolean {
  return badness > (told.get(name) ?? 0);
}

/** What ops know after a notice of more trouble. */
export function withProblems(
  told: NotifiedProblems,
  found: Iterable<readonly [name: string, badness: Badness]>,
): Map<string, Badness> {
  const worst = new Map(told);
  for (const [name, badness] of found) {
    if (isWorse(worst, name, badness)) worst.set(name, badness);
  }
  return worst;
}

/** The ways on which notices reached ops, with those of one more notice. */
export function withWays(before: readonly string[], more: readonly string[]): string[] {
  return [...new Set([...before, ...more])].sort();
}
