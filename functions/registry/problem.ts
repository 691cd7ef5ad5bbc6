import type * as z from 'zod';
import { allIssues, fieldPath } from '#records/json/schema-issue.ts';
import { shownValue } from './shown-value.ts';

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
