import { membersOf } from './members.ts';

/** In the order that they came in. Throws `Error` when a member on the path or the list of objects is missing. */
export function recordsAt(answer: unknown, ...path: string[]): Record<string, unknown>[] {
  const list = path.reduce((value, member) => membersOf(value)[member], answer);
  if (!Array.isArray(list)) throw new Error(`${path.join('.')} is not a list`);
  return list.map((item) => membersOf(item));
}
