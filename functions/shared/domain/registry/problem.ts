import type * as z from 'zod';
import { allIssues, fieldPath } from '../json/schema-issue.ts';
import { shownValue } from './shown-value.ts';

/** One thing that is wrong with a registry. */
export interface Problem {
  /** Its place in the registry. */
  at: readonly PropertyKey[];
  /** What is wrong, or what is allowed. It never repeats the value. */
  reason: string;
  /** The value at that place, `undefined` when there is none. It may be anybody's data. */
  value: unknown;
  /** What follows from it. */
  consequence?: string;
  /** What could have been meant: names or values that are allowed at that place. */
  candidates: readonly string[];
}

/** Why a member that has no effect is a problem. */
export const UNKNOWN = 'is not known here and has no effect';

/** A problem, and the merchant in whose entry it is. */
export interface MerchantProblem extends Problem {
  /** `null` when it is in no entry, or the entry has no usable code. */
  merchantCode: string | null;
}

/** The value at a place, `undefined` when there is none. */
function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let inner = value;
  for (const step of path) {
    if (typeof inner !== 'object' || inner === null || !Object.hasOwn(inner, step)) return undefined;
    inner = Reflect.get(inner, step);
  }
  return inner;
}

/**
 * What a schema found wrong with a value.
 *
 * @param at the place of the value in the registry
 */
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

/**
 * A problem for logs, mails and answers: what is wrong, the value if it can be shown, and the merchant.
 * Example: `must be HH:MM, given "6:30" (merchant 700004)`.
 */
function shownReason({ at, reason, value, candidates }: Problem, merchantCode: string | null): string {
  const shown = shownValue(at, value, candidates);
  const given = shown === undefined ? '' : `, given ${shown}`;
  return `${reason}${given}${merchantCode === null ? '' : ` (merchant ${merchantCode})`}`;
}

/** A part of the registry that cannot be used: its path and the reason. */
export interface Rejection {
  path: string;
  reason: string;
}

/** A problem for logs, mails and answers. */
export function rejectionOf(problem: Problem, merchantCode: string | null): Rejection {
  return { path: shownPath(problem.at), reason: shownReason(problem, merchantCode) };
}

/** The most problems that are named of one entry, one group and one default. */
export const MOST_OF_OWNER = 20;

/**
 * The first problems for logs, mails and answers. If there are more, the last rejection says how many.
 *
 * @param at the place that the last rejection names
 */
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
