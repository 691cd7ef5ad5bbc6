import { boundedJson, jsonFault, placeIn } from '#records/json/own-json.ts';
import { findRepeatedNames } from '#records/json/repeated-names.ts';
import type { CheckProblem, FoundProblem } from './problem.ts';

/** A text that was parsed, or the one problem that it has instead. */
export type ReadText =
  { text: string; json: unknown; repeated: FoundProblem[]; problem?: never } | { problem: CheckProblem };

/** Some editors add a byte order mark, which is not visible. It is not part of JSON. */
function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/, '');
}

/**
 * Parses a file that people write.
 *
 * @param mostValues the most values that the functions accept
 * @param largest the most bytes that they accept
 */
export function readText(given: string, mostValues: number, largest: number): ReadText {
  const text = withoutMark(given);
  const whole = { line: 1, column: 1, path: '(root)', merchantCode: null };
  if (Buffer.byteLength(given) > largest) {
    return { problem: { ...whole, message: `has more than ${largest.toLocaleString('en')} bytes` } };
  }
  const read = boundedJson(text, mostValues);
  if ('reason' in read) {
    const fault = jsonFault(text);
    if (fault === undefined) return { problem: { ...whole, message: read.reason } };
    const message = `is not JSON: ${fault.reason}`;
    return { problem: { ...whole, ...placeIn(text, fault.offset), message } };
  }
  return { text, json: read.json, repeated: read.repeats ? repeatedNames(text) : [] };
}

function repeatedNames(text: string): FoundProblem[] {
  const found: FoundProblem[] = [];
  const reason = 'appears twice in its object; only the last value would count';
  findRepeatedNames(text, (at, offset) => {
    found.push({ at, offset, reason, value: undefined, candidates: [], merchantCode: null });
    return true;
  });
  return found;
}
