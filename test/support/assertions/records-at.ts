import { recordOf } from './record-of.ts';

/** In the order that they came in. Throws `Error` when a member on the path or the list of objects is missing. */
export function recordsAt(answer: unknown, ...path: string[]): Record<string, unknown>[] {
  const list = path.reduce((value, member) => recordOf(value, member)[member], answer);
  if (!Array.isArray(list)) throw new Error(`${path.join('.')} is not a list`);
  return list.map((item) => recordOf(item, `an item of ${path.join('.')}`));
}
