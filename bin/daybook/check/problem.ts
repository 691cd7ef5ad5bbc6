import type { Problem } from '#registry/problem.ts';
import { shown } from '../terminal/shown-text.ts';
import type { Output } from '../terminal/output.ts';
import { counted } from '../terminal/words.ts';

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
  /** The name or value that may have been meant. */
  suggestion?: string;
}

/** A problem before its place in the text is known. */
export interface FoundProblem extends Problem {
  merchantCode: string | null;
  group?: string;
  /** Its place in the text, where it is known already. UTF-16 units. */
  offset?: number;
}

/** UTF-16 units of a value. */
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
