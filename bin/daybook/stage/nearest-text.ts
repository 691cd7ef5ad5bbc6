import { closest, distance } from 'fastest-levenshtein';

/** The text that was most likely meant, `undefined` when none is near. Upper and lower case count as the same. */
export function nearestText(text: string, known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined;
  const wanted = text.toLowerCase();
  const byLower = new Map(known.map((one) => [one.toLowerCase(), one]));
  const found = closest(wanted, [...byLower.keys()]);
  return distance(wanted, found) <= Math.max(1, Math.floor(wanted.length / 3))
    ? byLower.get(found)
    : undefined;
}
