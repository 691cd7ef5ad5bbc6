import type { MerchantProblem, Problem } from '#registry/problem.ts';
import { shown, counted } from '../terminal/shown-text.ts';
import type { Output } from '../terminal/output.ts';
import { fieldPath } from '#records/json/schema-issue.ts';
import { asciiAddress } from '#registry/mail-address.ts';
import { UNKNOWN } from '#registry/problem.ts';
import { parseTree } from 'jsonc-parser';
import type { Node } from 'jsonc-parser';
import { withoutMark } from '../files.ts';
import { nearestText } from '../stage/known-names.ts';
import type { TextPlace } from '#records/json/own-json.ts';
import { boundedJson, jsonFault, placeIn } from '#records/json/own-json.ts';
import { findRepeatedNames } from '#records/json/repeated-names.ts';

/** One thing that is wrong with a file, as `daybook check --json` prints it. */
export interface CheckProblem {
  /** Only for problems of the secret: the file that was given with `--secret`. */
  file?: string;
  /** Both begin at 1. A column counts UTF-16 units, as editors do. */
  line: number;
  column: number;
  /** Such as `merchants[3].reportAt`, `(root)` for the whole file. */
  path: string;
  /** The merchant's code, `null` when it is about no merchant or the entry has no usable code. */
  merchantCode: string | null;
  /** The name of the group that it is about, if that is a group with a usable name. */
  group?: string;
  /** What is wrong, what is allowed, and the value that was given. A secret's value is never in it. */
  message: string;
  suggestion?: string;
}

export interface FoundProblem extends MerchantProblem {
  group?: string;
  /** Its place in the text, where it is known already. UTF-16 units. */
  offset?: number;
}

/** A problem that is about no value that may be shown, and for which nothing is suggested. Its merchant is not known yet. */
export function foundAt(at: readonly PropertyKey[], reason: string): FoundProblem {
  return { at, reason, merchantCode: null, value: undefined, candidates: [] };
}

const LONGEST_VALUE = 60;

const TYPES: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

function inWords(reason: string): string {
  return reason.replace(/must be (\w+)$/, (said, type: string) => {
    const words = TYPES[type];
    return words === undefined ? said : `must be ${words}`;
  });
}

function givenValue(value: unknown): string | undefined {
  switch (typeof value) {
    case 'string':
      // A URL may have a user name and a password.
      return /:\/\/[^/]*@/.test(value) ? undefined : JSON.stringify(shown(value, LONGEST_VALUE));
    case 'number':
    case 'boolean':
      return String(value);
    case 'object':
      if (value === null) return 'null';
      return Array.isArray(value) ? 'a list' : 'an object';
    default:
      return undefined;
  }
}

/** What is wrong, what is allowed, and the value that was given. For the person who wrote it. */
export function problemInWords({ reason, value, consequence }: Omit<Problem, 'at' | 'candidates'>): string {
  const given = givenValue(value);
  const follows = consequence === undefined ? '' : `; ${consequence}`;
  return `${inWords(reason)}${given === undefined ? '' : `, given ${given}`}${follows}`;
}

/** The end of a message that names what could have been meant. Empty when nothing is near. */
export function didYouMean(suggestion: string | undefined): string {
  return suggestion === undefined ? '' : ` - did you mean "${suggestion}"?`;
}

/** UTF-16 units of a line. A message may list the values that are allowed. */
const LONGEST = 1_000;

/** The beginning of a path inside a merchant: by place in a registry, by code in a secret. */
const MERCHANT = /^merchants(?:\[\d+\]|\.[\w-]+)/;

function subjectOf({ merchantCode, group, path }: CheckProblem): string {
  if (merchantCode !== null) return `merchant ${merchantCode}`;
  if (group !== undefined) return `group ${group}`;
  return /^(?:(?:merchants|groups)\[\d+\]|\w+)/.exec(path)?.[0] ?? 'the file';
}

/**
 * Prints the problems of a file, those of one merchant together. Terminals open `file:line:column` at a click.
 *
 * @param entries the number of merchants in the file
 */
export function showProblems(
  output: Output,
  file: string,
  problems: readonly CheckProblem[],
  entries: number,
): void {
  const bySubject = Map.groupBy(problems, subjectOf);
  for (const [subject, found] of bySubject) {
    output.line(output.style('bold', subject));
    for (const { line, column, path, message, suggestion } of found) {
      const place = output.style('cyan', `${shown(file)}:${line}:${column}`);
      output.line(`  ${place}  ${shown(`${path}: ${message}${didYouMean(suggestion)}`, LONGEST)}`);
    }
    output.line();
  }
  const merchants = counted(entries, 'merchant');
  if (problems.length === 0) {
    output.line(`${output.style('green', 'No problems')} in ${shown(file)} (${merchants}).`);
    return;
  }
  const wrong = new Set(problems.flatMap(({ path }) => MERCHANT.exec(path)?.[0] ?? [])).size;
  const count = output.style('red', counted(problems.length, 'problem'));
  output.line(`${count} in ${shown(file)} (${merchants}, ${wrong.toLocaleString('en')} with problems).`);
}

type ReadText =
  { text: string; json: unknown; repeated: FoundProblem[]; problem?: never } | { problem: CheckProblem };

/** Parses a file that people write. `mostValues`, `largest`: what the functions accept, values and bytes. */
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
    found.push({ ...foundAt(at, reason), offset });
    return true;
  });
  return found;
}

/** Gives places in a text, asked for in the order of their offsets. */
function placesIn(text: string): (offset: number) => TextPlace {
  const breaks = /\r\n|\r|\n/g;
  const following = () => (breaks.exec(text) === null ? Infinity : breaks.lastIndex);
  let [line, start, next] = [1, 0, following()];
  return (offset) => {
    for (; next <= offset; next = following()) [line, start] = [line + 1, next];
    return { line, column: offset - start + 1 };
  };
}

/** Finds the name that may have been meant, each once: ten thousand entries may have the same mistake. */
function suggestionFinder() {
  const known = new Map<readonly string[], Map<string, string | undefined>>();
  return (given: string, candidates: readonly string[]): string | undefined => {
    if (candidates.length === 0) return undefined;
    const found = known.get(candidates) ?? new Map<string, string | undefined>();
    known.set(candidates, found);
    if (!found.has(given)) found.set(given, nearestText(given, candidates));
    return found.get(given);
  };
}

/** In JSON that does not nest deeply: the offset of a value or its name, or of the innermost part around it. */
function offsetsIn(text: string): (path: readonly PropertyKey[], wants: 'value' | 'name') => number {
  const root = parseTree(text);
  // `findNodeAtLocation` would look through all properties of an object each time.
  const known = new WeakMap<Node, ReadonlyMap<string, Node>>();
  const propertyOf = (object: Node, name: string) => {
    const { children = [] } = object;
    // Of a name that appears twice, the last value is the one that is used.
    const properties = known.get(object) ?? new Map(children.map((one) => [nameOf(one), one]));
    known.set(object, properties);
    return properties.get(name);
  };
  return (path, wants) => {
    if (root === undefined) return 0;
    let [node, at] = [root, root.offset];
    for (const [index, step] of path.entries()) {
      const isObject = node.type === 'object';
      const property = isObject ? propertyOf(node, String(step)) : node.children?.[Number(step)];
      if (property === undefined) return at;
      node = isObject ? (property.children?.[1] ?? property) : property;
      at = wants === 'name' && index === path.length - 1 ? property.offset : node.offset;
    }
    return at;
  };
}

function nameOf(property: Node): string {
  return String(property.children?.[0]?.value);
}

const LONGEST_NAME = 60;

const PLAIN_NAME = /^[\w$-]{1,60}$/;

/** A path in the file. A name that is not a plain word is in quotes. */
function pathOf(at: readonly PropertyKey[]): string {
  const steps = at.map((step) => {
    if (typeof step === 'number' || PLAIN_NAME.test(String(step))) return step;
    return JSON.stringify(shown(String(step), LONGEST_NAME));
  });
  return steps.length === 0 ? '(root)' : fieldPath(steps);
}

/** What could have been meant: a name, if the member itself is the problem, otherwise a value. */
function suggestionOf(
  { at, value, reason, candidates }: FoundProblem,
  find: ReturnType<typeof suggestionFinder>,
): string | undefined {
  if (value === undefined && reason !== UNKNOWN) return undefined;
  const given = value === undefined ? at.at(-1) : value;
  return asciiAddress(value) ?? (typeof given === 'string' ? find(given, candidates) : undefined);
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
  const [offsetOf, placeAt, find] = [offsetsIn(text), placesIn(text), suggestionFinder()];
  const inOrder = found
    .map((problem) => {
      const wants = problem.value === undefined ? 'name' : 'value';
      return { problem, offset: problem.offset ?? offsetOf(problem.at, wants) };
    })
    .sort((one, other) => one.offset - other.offset);
  const listed = inOrder.slice(0, most).map(({ problem, offset }): CheckProblem => {
    const { at, merchantCode, group } = problem;
    const suggestion = suggestionOf(problem, find);
    return {
      ...placeAt(offset),
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
  return [...listed, { ...placeAt(next.offset), path: '(root)', merchantCode: null, message }];
}
