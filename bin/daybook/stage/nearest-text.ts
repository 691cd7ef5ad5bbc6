import { distance } from 'fastest-levenshtein';

/** Nobody types a longer name by mistake: it is the length of an address. UTF-16 units. */
const LONGEST = 320;

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[ _-]/g, '');
}

/**
 * The text that may have been meant: the nearest one, if at most a third of its letters differ. Upper and lower case,
 * blanks, "_" and "-" make no difference.
 *
 * @param known the texts that are allowed
 * @returns `undefined` when none is near, or the text itself is allowed
 */
export function nearestText(text: string, known: readonly string[]): string | undefined {
  if (text === '' || text.length > LONGEST) return undefined;
  const wanted = plain(text);
  let [nearest, least]: [string | undefined, number] = [undefined, Infinity];
  for (const one of known) {
    const differing = distance(wanted, plain(one));
    if (differing < least) [nearest, least] = [one, differing];
  }
  if (nearest === undefined || nearest === text) return undefined;
  return least <= Math.max(1, Math.floor(nearest.length / 3)) ? nearest : undefined;
}
