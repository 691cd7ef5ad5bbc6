import { jsonFault, placeIn } from './json-fault.ts';
import { outlineOf } from './exact-json.ts';
import { countNames } from './repeated-names.ts';

/** The most levels in JSON that people write: deeper nesting could overflow the stack. */
const MOST_LEVELS = 100;
/** Characters that each value beyond the first ones must take. A value costs memory, however short it is. */
const [SHORTEST_VALUE, FREE_VALUES] = [8, 20_000];

/** The parsed text, or the reason why it cannot be used. The reason quotes nothing from the text. */
export type BoundedJson =
  | {
      json: unknown;
      /** Whether a name appears twice in one object. All objects are walked for it, when somebody asks. */
      readonly repeats: boolean;
    }
  | { reason: string };

/** Where and why a text is not JSON, such as ` (line 3, column 1: a comma or a closing bracket is missing)`. */
function faultIn(text: string): string {
  const fault = jsonFault(text);
  if (fault === undefined) return '';
  const { line, column } = placeIn(text, fault.offset);
  return ` (line ${line}, column ${column}: ${fault.reason})`;
}

/**
 * Parses JSON that people write. The text is checked before it is parsed: a few kilobytes of brackets
 * overflow the stack, and a text of the shortest values takes thirty times its own size.
 *
 * @param mostValues the most values, whatever the length
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
    return { reason: `is not JSON${faultIn(text)}` };
  }
  return {
    json,
    get repeats() {
      return countNames(json) < outline.names;
    },
  };
}
