import * as z from 'zod';
import { CHECKS } from './contract-types.ts';
import { isMembers } from '../json/exact-json.ts';

type Check = (value: unknown) => boolean;

function isString(value: unknown): boolean {
  return typeof value === 'string';
}

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
 *
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
  if (schema instanceof z.ZodString && !hasChecks) return isString;
  if (schema instanceof z.ZodArray && !hasChecks) {
    const inner = checkOf(schema.element);
    return (value) => Array.isArray(value) && value.every((item) => inner(item));
  }
  return (value) => schema.safeParse(value).success;
}
