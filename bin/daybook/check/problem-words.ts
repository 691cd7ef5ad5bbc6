import type { Problem } from '#registry/problem.ts';
import { shown } from '../terminal/shown-text.ts';

/** UTF-16 units of a value. */
const LONGEST = 60;

/** Words for the types that a schema names. */
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

/** A value for the person who wrote it. */
function givenValue(value: unknown): string | undefined {
  switch (typeof value) {
    case 'string':
      // A URL may have a user name and a password.
      return /:\/\/[^/]*@/.test(value) ? undefined : JSON.stringify(shown(value, LONGEST));
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
