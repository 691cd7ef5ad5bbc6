/** The same value is often compared again, and counting its members takes as long as listing them. */
const known = new WeakMap<object, ReadonlyMap<string, unknown>>();

function membersOf(value: object): ReadonlyMap<string, unknown> {
  const before = known.get(value);
  if (before !== undefined) return before;
  const members = new Map<string, unknown>(Object.entries(value));
  known.set(value, members);
  return members;
}

/**
 * Whether two JSON values are the same, whatever the order of members. Not recursive, because a text may nest
 * deeply.
 * @param other must not be changed afterwards. Comparing it with many values costs only their size
 */
export function isSameJson(one: unknown, other: unknown): boolean {
  const pairs: [unknown, unknown][] = [[one, other]];
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const [left, right] = pair;
    if (Object.is(left, right)) continue;
    if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null)
      return false;
    if (Array.isArray(left) !== Array.isArray(right)) return false;
    const [members, others] = [Object.entries(left), membersOf(right)];
    if (members.length !== others.size) return false;
    for (const [name, value] of members) {
      if (!others.has(name)) return false;
      pairs.push([value, others.get(name)]);
    }
  }
  return true;
}
