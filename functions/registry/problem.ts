import type * as z from 'zod';
import { isMembers } from '#records/json/exact-json.ts';
import { allIssues, fieldPath } from '#records/json/schema-issue.ts';

const ZONE =
  /^(?:Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Europe|Indian|Pacific|Etc)\/[A-Za-z_/+-]{1,30}$/;
const TIME = /^[\d:. ]{1,8}(?:am|pm)?$/i;
const AMOUNT = /^-?[\d.,]{1,12} ?%?$/;
const NUMBER = /^-?\d{1,6}$/;
const CODE = /^[\d ._/-]{1,9}$/;
const DURATION = /^\d{1,4} ?(?:m|h|d|s|w|min|minutes?|hours?|days?)?$/i;

/** A text of such a form, as the value of one of these settings, is nobody's name, address or password. */
const FORMS: readonly (readonly [RegExp, readonly string[]])[] = [
  [CODE, ['merchantCode', 'merchants', 'prefix']],
  [ZONE, ['timeZone']],
  [TIME, ['reportAt', 'notBefore', 'at']],
  [/^\d{1,4}([-/.])\d{1,2}\1\d{1,4}$/, ['reportFrom']],
  [/^\d{4}-\d{2}-\d{2}[T ]?[\d:.]{0,12} ?(?:Z|[+-]\d{2}:?\d{2})?$/, ['muteUntil']],
  [DURATION, ['repeatAfter', 'waitFor', 'correctFor', 'closeAfter']],
  [/^[A-Za-z]{2,4}$/, ['currency']],
  [/^[A-Za-z]{2}(?:-[A-Za-z]{2})?$/, ['language']],
  [/^#?[0-9A-Fa-f]{3,8}$/, ['colour']],
  [NUMBER, ['onDay', 'lookbackDays', 'invoiceTypes', 'maxConcurrency']],
  [NUMBER, ['forChecks', 'withinDays', 'createdWithinDays']],
  [AMOUNT, ['above', 'below', 'clearAt']],
];

const LARGEST_NUMBER = 1e6;

function letters(text: string): string {
  return text.toLowerCase().replaceAll(/[ _-]/g, '');
}

function isNearly(text: string, candidates: readonly string[]): boolean {
  if (text.length > 40) return false;
  const plain = letters(text);
  return candidates.some((candidate) => letters(candidate) === plain);
}

/**
 * People may have put an address, a name or a password in the wrong place: a text is shown only in the form
 * of its setting's values, else `undefined`.
 * @param at its place in the registry
 * @param candidates allowed values
 */
function shownValue(
  at: readonly PropertyKey[],
  value: unknown,
  candidates: readonly string[],
): string | undefined {
  switch (typeof value) {
    case 'boolean':
      return String(value);
    case 'number':
      return Math.abs(value) < LARGEST_NUMBER ? String(value) : 'a number';
    case 'object':
      if (value === null) return 'null';
      return Array.isArray(value) ? 'a list' : 'an object';
    case 'string': {
      const setting = at.findLast((step) => typeof step === 'string') ?? '';
      const isOfForm = FORMS.some(([form, names]) => names.includes(setting) && form.test(value));
      if (isOfForm || isNearly(value, candidates)) return JSON.stringify(value);
      return undefined;
    }
    default:
      return undefined;
  }
}

export interface Problem {
  at: readonly PropertyKey[];
  /** What is wrong, or what is allowed. It never repeats the value. */
  reason: string;
  /** `undefined` when there is none. It may be anybody's data. */
  value: unknown;
  consequence?: string;
  /** What could have been meant: names or values that are allowed at that place. */
  candidates: readonly string[];
}

/** Why a member that has no effect is a problem. */
export const UNKNOWN = 'is not known here and has no effect';

/** Members of a value that have none of these names. None of what is no object. */
export function unknownNames(
  names: readonly string[],
  value: unknown,
  at: readonly PropertyKey[],
): Problem[] {
  if (!isMembers(value)) return [];
  const known = new Set(names);
  return Object.keys(value)
    .filter((name) => !known.has(name))
    .map((name) => ({ at: [...at, name], reason: UNKNOWN, value: undefined, candidates: names }));
}

export interface MerchantProblem extends Problem {
  /** `null` in no entry, or without a usable code. */
  merchantCode: string | null;
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let inner = value;
  for (const step of path) {
    if (typeof inner !== 'object' || inner === null || !Object.hasOwn(inner, step)) return undefined;
    inner = Reflect.get(inner, step);
  }
  return inner;
}

/** What a schema found wrong. @param at the place of the value in the registry */
export function problemsOf(error: z.ZodError, value: unknown, at: readonly PropertyKey[]): Problem[] {
  return allIssues(error).map(({ at: inner, reason, isOfType, candidates = [] }) => {
    const given = valueAt(value, inner);
    const said = isOfType && given === undefined ? `is missing, ${reason}` : reason;
    return { at: [...at, ...inner], reason: said, value: given, candidates };
  });
}

/** A name that shows nothing but itself. Other names could contain anything. */
const PLAIN_NAME = /^(?:[A-Za-z_$][\w$-]{0,63}|-?\d{1,6})$/;

/** A path for logs, mails and answers. A name that is not a plain word is replaced. */
export function shownPath(at: readonly PropertyKey[]): string {
  if (at.length === 0) return '(root)';
  return fieldPath(
    at.map((step) => (typeof step === 'number' || PLAIN_NAME.test(String(step)) ? step : '(another name)')),
  );
}

/** Example: `must be HH:MM, given "6:30" (merchant 700004)`. */
function shownReason({ at, reason, value, candidates }: Problem, merchantCode: string | null): string {
  const shown = shownValue(at, value, candidates);
  const given = shown === undefined ? '' : `, given ${shown}`;
  return `${reason}${given}${merchantCode === null ? '' : ` (merchant ${merchantCode})`}`;
}

export interface Rejection {
  path: string;
  reason: string;
}

/** A problem for logs, mails and answers. */
export function rejectionOf(problem: Problem, merchantCode: string | null): Rejection {
  return { path: shownPath(problem.at), reason: shownReason(problem, merchantCode) };
}

export const MOST_OF_OWNER = 20;

/** The first problems; the last one says how many more there are. @param at the place that it names */
export function rejectionsOf(
  problems: readonly Problem[],
  merchantCode: string | null,
  at: readonly PropertyKey[],
  most: number,
): Rejection[] {
  const listed = problems.slice(0, most).map((problem) => rejectionOf(problem, merchantCode));
  const more = problems.length - listed.length;
  if (more > 0) listed.push({ path: shownPath(at), reason: `and ${more} more that are not listed here` });
  return listed;
}
