import * as z from 'zod';
import { AMOUNT_PATTERN } from '../money/money.ts';
import { isExactInteger } from '../json/exact-json.ts';
import type { Integer } from '../json/exact-json.ts';

/** A check for each type below, for code that checks many values and needs no copies. */
export const CHECKS = new Map<z.ZodType, (value: unknown) => boolean>();

/** Registers a check that accepts the same values as the type. */
export function checked<T extends z.ZodType>(type: T, check: (value: unknown) => boolean): T {
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

/** No database has longer keys, and each id is written many times: into addresses, errors and names. */
const MOST_DIGITS = 100;

/** The formats of values (docs/contract.md, 2.1 Formats). */
export const integer = custom<Integer>(
  (value) => Number.isSafeInteger(value) || (isExactInteger(value) && value.rawJSON.length <= MOST_DIGITS),
  'must be an integer',
);
/**
 * A JSON number. It is passed through and never used in sums. A number that is too large for JavaScript would
 * be written as null.
 */
export const jsonNumber = custom<number | Integer>(
  (value) => Number.isFinite(value) || isExactInteger(value),
  'must be a number',
);
/** Checked up to the first wrong one, because there may be very many. */
export const texts = custom<string[]>(
  (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
  'must be an array of strings',
);
/** An amount of the contract (docs/contract.md, 2.1 Formats). */
export const amount = text(AMOUNT_PATTERN, 'must be a decimal string with three fraction digits');
/** A date of the contract (docs/contract.md, 2.1 Formats). */
export const date = text(/^\d{4}-\d{2}-\d{2}$/, 'must be a date YYYY-MM-DD');
/** A datetime of the contract (docs/contract.md, 2.1 Formats). */
export const datetime = text(
  /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/,
  'must be a datetime YYYY-MM-DD HH:MM:SS',
);
/** The service's own id of a merchant, in either of its forms. The client refuses an empty one. */
export const merchantId = custom<string | Integer>(
  (value) => typeof value === 'string' || Number.isSafeInteger(value) || isExactInteger(value),
  'must be the id of the merchant',
);
/** A member that must exist and whose type the contract does not give. */
export const unspecified = checked(
  z.lazy(() => z.unknown().refine((value) => value !== undefined, 'must be there')),
  (value) => value !== undefined,
);
