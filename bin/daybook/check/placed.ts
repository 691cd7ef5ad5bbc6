import { fieldPath } from '#domain/json/schema-issue.ts';
import { asciiAddress } from '#domain/mail/mail-address.ts';
import { UNKNOWN } from '#domain/registry/problem.ts';
import { shown } from '../terminal/shown-text.ts';
import { JsonPlaces } from './json-places.ts';
import type { CheckProblem, FoundProblem } from './problem.ts';
import { problemInWords } from './problem-words.ts';
import { Suggestions } from './suggestion.ts';
import { TextLines } from './text-lines.ts';

/** UTF-16 units of a name in a path. */
const LONGEST = 60;

const PLAIN_NAME = /^[\w$-]{1,60}$/;

/** A path in the file. A name that is not a plain word is in quotes. */
function pathOf(at: readonly PropertyKey[]): string {
  const steps = at.map((step) => {
    if (typeof step === 'number' || PLAIN_NAME.test(String(step))) return step;
    return JSON.stringify(shown(String(step), LONGEST));
  });
  return steps.length === 0 ? '(root)' : fieldPath(steps);
}

/** What could have been meant: a name, if the member itself is the problem, otherwise a value. */
function suggestionOf(
  { at, value, reason, candidates }: FoundProblem,
  suggestions: Suggestions,
): string | undefined {
  if (value === undefined && reason !== UNKNOWN) return undefined;
  const given = value === undefined ? at.at(-1) : value;
  return asciiAddress(value) ?? (typeof given === 'string' ? suggestions.find(given, candidates) : undefined);
}

/**
 * The problems with their places, in the order of the text.
 *
 * @param text JSON
 * @param most how many are listed. A last one says how many more there are
 */
export function placedProblems(
  text: string,
  found: readonly FoundProblem[],
  most = Infinity,
): CheckProblem[] {
  if (found.length === 0) return [];
  const [places, lines, suggestions] = [new JsonPlaces(text), new TextLines(text), new Suggestions()];
  const inOrder = found
    .map((problem) => {
      const wants = problem.value === undefined ? 'name' : 'value';
      return { problem, offset: problem.offset ?? places.offsetOf(problem.at, wants) };
    })
    .sort((one, other) => one.offset - other.offset);
  const listed = inOrder.slice(0, most).map(({ problem, offset }): CheckProblem => {
    const { at, merchantCode, group } = problem;
    const suggestion = suggestionOf(problem, suggestions);
    return {
      ...lines.placeAt(offset),
      path: pathOf(at),
      merchantCode,
      ...(group !== undefined && { group }),
      message: problemInWords(problem),
      ...(suggestion !== undefined && { suggestion }),
    };
  });
  const [next] = inOrder.slice(most, most + 1);
  if (next === undefined) return listed;
  const more = (inOrder.length - most).toLocaleString('en');
  const message = `has ${more} more problems, which are not listed: the first one is here`;
  return [...listed, { ...lines.placeAt(next.offset), path: '(root)', merchantCode: null, message }];
}
