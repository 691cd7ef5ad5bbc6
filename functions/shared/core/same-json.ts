/** Whether two values of JSON are the same, whatever the order of members. Without recursion: a text may nest deeply. */
export function isSameJson(one: unknown, other: unknown): boolean {
  const pairs: [unknown, unknown][] = [[one, other]];
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const [left, right] = pair;
    if (Object.is(left, right)) continue;
    if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null)
      return false;
    if (Array.isArray(left) !== Array.isArray(right)) return false;
    const [members, others] = [Object.entries(left), new Map<string, unknown>(Object.entries(right))];
    if (members.length !== others.size) return false;
    for (const [name, value] of members) {
      if (!others.has(name)) return false;
      pairs.push([value, others.get(name)]);
    }
  }
  return true;
}
