import * as z from 'zod';
import { AMOUNT_PATTERN } from '../money/money.ts';
import { isExactInteger } from '../json/exact-json.ts';
import type { Integer } from '../json/exact-json.ts';

/** What each of the types below accepts, for those who check many values and want no copy of them. */
export const CHECKS = new Map<z.ZodType, (value: unknown) => boolean>();

function checked<T extends z.ZodType>(type: T, check: (value: unknown) => boolean): T {
  CHECKS.set(type, check);
  return type;
}

function custom<T>(check: (value: unknown) => boolean, message: string) {
  return checked(
    z.lazy(() => z.custom<T>(check, message)),
    check,
  );
}

function text(pattern: RegExp, message: string) {
  return checked(
    z.lazy(() => z.string().regex(pattern, message)),
    (value) => typeof value === 'string' && pattern.test(value),
  );
}

/** No key of any database is longer, and each is written many times: into addresses, errors and names. */
const MOST_DIGITS = 100;

/** The formats of values (docs/contract.md, 2.1 Formats). */
export const integer = custom<Integer>(
  (value) => Number.isSafeInteger(value) || (isExactInteger(value) && value.rawJSON.length <= MOST_DIGITS),
  'must be an integer',
);
/** A JSON number: passed through, never reckoned with. One past the range of numbers would be written as null. */
export const jsonNumber = custom<number | Integer>(
  (value) => Number.isFinite(value) || isExactInteger(value),
  'must be a number',
);
/** Looked at to the first that is none: there may be as many as an answer holds. */
export const texts = custom<string[]>(
  (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
  'must be an array of strings',
);
export const amount = text(AMOUNT_PATTERN, 'must be a decimal string with three fraction digits');
export const date = text(/^\d{4}-\d{2}-\d{2}$/, 'must be a date YYYY-MM-DD');
export const datetime = text(
  /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/,
  'must be a datetime YYYY-MM-DD HH:MM:SS',
);
/** A member that must be there, of a type that the contract does not show. */
export const unspecified = checked(
  z.lazy(() => z.unknown().refine((value) => value !== undefined, 'must be there')),
  (value) => value !== undefined,
);
