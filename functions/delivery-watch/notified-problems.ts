/**
 * How bad a missing report or statement is. 1: it arrived and needs a look. 2: it did not arrive, and a later run may
 * still bring it. 3: it does not arrive until a person acts.
 */
export type Severity = 1 | 2 | 3;

/** What ops know of one day or period since the last all-clear: the worst severity of each merchant or group. */
export type NotifiedProblems = ReadonlyMap<string, Severity>;

/** Whether trouble is worse than anything that ops know of the merchant or group. */
export function isWorse(told: NotifiedProblems, name: string, severity: Severity): boolean {
  return severity > (told.get(name) ?? 0);
}

/** What ops know after a notice of more trouble. */
export function withProblems(
  told: NotifiedProblems,
  found: Iterable<readonly [name: string, severity: Severity]>,
): Map<string, Severity> {
  const worst = new Map(told);
  for (const [name, severity] of found) {
    if (isWorse(worst, name, severity)) worst.set(name, severity);
  }
  return worst;
}

/** The ways on which notices reached ops, with those of one more notice. */
export function withWays(before: readonly string[], more: readonly string[]): string[] {
  return [...new Set([...before, ...more])].sort();
}
