import { recordOf } from './record-of.ts';

/**
 * The objects of a list inside an answer, with their members in the order that they came in.
 * Throws `Error` when a member on the path is missing, or when there is no list of objects at its end.
 */
export function recordsAt(answer: unknown, ...path: string[]): Record<string, unknown>[] {
  const list = path.reduce((value, member) => recordOf(value, member)[member], answer);
  if (!Array.isArray(list)) throw new Error(`${path.join('.')} is not a list`);
  return list.map((item) => recordOf(item, `an item of ${path.join('.')}`));
}
