/** Values in place of a member, with their kinds in the drift. `undefined`: the service leaves the member out. */
export const MISFIT_VALUES: readonly (readonly [name: string, value: unknown, kind: string])[] = [
  ['nothing', undefined, 'missing'],
  ['null', null, 'null'],
  ['an empty list', [], 'array'],
  ['an empty object', {}, 'object'],
  ['an empty text', '', 'empty string'],
  ['zero', 0, 'number'],
  ['a text', 'canary', 'string'],
  ['a number', 7.5, 'number'],
  ['a truth value', true, 'boolean'],
  ['a list of lists', [[{ key: ['canary'] }]], 'array'],
  ['an object of objects', { key: { key: ['canary'] } }, 'object'],
];

/** Every path of an object, with those of the objects in it. */
export function pathsOf(record: object, before: readonly string[] = []): string[][] {
  return Object.entries(record).flatMap(([name, value]: [string, unknown]) => {
    const path = [...before, name];
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? [path, ...pathsOf(value, path)] : [path];
  });
}

export function withValue(
  record: Record<string, unknown>,
  [name = '', ...inner]: readonly string[],
  value: unknown,
): Record<string, unknown> {
  const member = record[name];
  const isObject = typeof member === 'object' && member !== null && !Array.isArray(member);
  const next = inner.length === 0 ? value : withValue(isObject ? { ...member } : {}, inner, value);
  const { [name]: _before, ...others } = record;
  return next === undefined ? others : { ...record, [name]: next };
}
