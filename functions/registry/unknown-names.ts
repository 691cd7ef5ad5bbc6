import type * as z from 'zod';
import { isMembers } from '#records/json/exact-json.ts';
import { UNKNOWN } from './problem.ts';
import type { Problem } from './problem.ts';

/** Names of an object's members. Every call builds the schema again. */
export function namesOf(schema: z.ZodLazy<z.ZodObject>): readonly string[] {
  return Object.keys(schema.unwrap().shape);
}

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
