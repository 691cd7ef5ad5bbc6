import * as z from 'zod';
import { AMOUNT_PATTERN } from '../money/money.ts';
import { isExactInteger, isMembers } from '../json/exact-json.ts';
import type { Integer } from '../json/exact-json.ts';

type Check = (value: unknown) => boolean;

/** A check for each type below, for code that checks many values and needs no copies. */
const CHECKS = new Map<z.ZodType, Check>();

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
/** Passed through and never used in sums. A number too large for JavaScript would be written as null. */
export const jsonNumber = custom<number | Integer>(
  (value) => Number.isFinite(value) || isExactInteger(value),
  'must be a number',
);
/** Checked up to the first wrong one, because there may be very many. */
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

function checkOfMembers(schema: z.ZodObject): Check {
  const members = Object.entries(schema.shape).map(([name, member]) => ({ name, check: checkOf(member) }));
  return (value) => {
    if (!isMembers(value)) return false;
    for (const { name, check } of members) if (!check(value[name])) return false;
    return true;
  };
}

/**
 * A check that returns `true` only when the schema accepts a value, without the copy that a schema makes:
 * there may be hundreds of thousands of rows. It knows the kinds of which records consist and leaves other
 * kinds to the schema. When it returns `false`, the schema decides and gives the reason.
 * @param schema of a record that may have other members too
 */
export function checkOf(schema: unknown): Check {
  if (!(schema instanceof z.ZodType)) throw new TypeError('a check is made of a schema');
  const known = CHECKS.get(schema);
  if (known !== undefined) return known;
  if (schema instanceof z.ZodLazy) return checkOf(schema.unwrap());
  if (schema instanceof z.ZodObject) return checkOfMembers(schema);
  if (schema instanceof z.ZodUnknown) return () => true;
  if (schema instanceof z.ZodNullable) {
    const inner = checkOf(schema.unwrap());
    return (value) => value === null || inner(value);
  }
  const hasChecks = (schema.def.checks ?? []).length > 0;
  if (schema instanceof z.ZodString && !hasChecks) return (value) => typeof value === 'string';
  if (schema instanceof z.ZodArray && !hasChecks) {
    const inner = checkOf(schema.element);
    return (value) => Array.isArray(value) && value.every((item) => inner(item));
  }
  return (value) => schema.safeParse(value).success;
}
