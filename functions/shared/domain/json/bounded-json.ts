import { outlineOf } from './json-outline.ts';
import { countNames } from './repeated-names.ts';

/** Levels that people's JSON may nest: whatever walks it must not run out of stack. */
const MOST_LEVELS = 100;
/** Characters a value must take at least, beyond the first: a value costs memory however short it is. */
const [SHORTEST_VALUE, FREE_VALUES] = [8, 20_000];

/** What a text holds, or why it cannot be used; the reason quotes nothing of the text. */
export type BoundedJson =
  { json: unknown; /** Whether a name stands twice in one object. */ repeats: boolean } | { reason: string };

/**
 * Parses JSON that people write. It is looked at before it is parsed, since a few kilobytes of brackets overflow the
 * stack, and a text of the shortest values takes thirty times its own size.
 *
 * @param mostValues that it may hold, whatever its length
 */
export function boundedJson(text: string, mostValues: number): BoundedJson {
  const values = Math.min(mostValues, FREE_VALUES + text.length / SHORTEST_VALUE);
  const outline = outlineOf(text, { levels: MOST_LEVELS, values, widest: Infinity });
  if (outline.levels > MOST_LEVELS) return { reason: `nests deeper than ${MOST_LEVELS} levels` };
  if (outline.values > values) return { reason: 'holds more values than it could need' };
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    // The parser's own message quotes the text, which may hold addresses or credentials.
    return { reason: 'is not JSON' };
  }
  return { json, repeats: countNames(json) < outline.names };
}
