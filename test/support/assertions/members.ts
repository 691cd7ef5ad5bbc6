import { isMembers } from '#records/json/exact-json.ts';

/** The same object, its members readable by name. Throws `TypeError` when the value is not an object. */
export function membersOf(value: unknown): Record<string, unknown> {
  if (!isMembers(value)) throw new TypeError(`this is not an object: ${String(value)}`);
  return value;
}
