import * as z from 'zod';
import { AMOUNT_PATTERN } from '../money.ts';
import { isExactInteger } from './exact-json.ts';
import type { Integer } from './exact-json.ts';

/** The formats of the contract's section "Resources and their fields". */
export const integer = z.custom<Integer>(
  (value) => Number.isSafeInteger(value) || isExactInteger(value),
  'must be an integer',
);
/** A JSON number: passed through, never reckoned with. One past the range of numbers would be written as null. */
export const jsonNumber = z.custom<number | Integer>(
  (value) => Number.isFinite(value) || isExactInteger(value),
  'must be a number',
);
export const amount = z.string().regex(AMOUNT_PATTERN, 'must be a decimal string with three fraction digits');
export const date = z.string().regex(/^\d{4}-\d{2}-\d{2}$/, 'must be a date YYYY-MM-DD');
export const datetime = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/, 'must be a datetime YYYY-MM-DD HH:MM:SS');
/** A member that must be there, of a type that the contract does not show. */
export const unspecified = z.unknown().refine((value) => value !== undefined, 'must be there');
