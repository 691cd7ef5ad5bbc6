import { usableCode } from './merchant-codes.ts';
import type { GroupMembers } from './group-schema.ts';

interface Owner {
  readonly merchants: readonly unknown[];
}

interface Codes {
  /** In the registry's order, each once. */
  list: readonly string[];
  places: ReadonlyMap<string, number>;
}

/** The codes of each registry. A registry stays the same object until it changes, and may have many groups. */
const looked = new WeakMap<readonly unknown[], Codes>();

function codesOf({ merchants }: Owner): Codes {
  const before = looked.get(merchants);
  if (before !== undefined) return before;
  const places = new Map<string, number>();
  for (const entry of merchants) {
    const code = usableCode(entry);
    if (code !== null && !places.has(code)) places.set(code, places.size);
  }
  const codes = { list: [...places.keys()], places };
  looked.set(merchants, codes);
  return codes;
}

export interface FoundMembers {
  /** In the registry's order, each once. Unusable entries count, too. */
  codes: readonly string[];
  /** Codes that the registry does not have, in the group's order. */
  unknown: readonly string[];
}

/** The merchants of a group. Linear in a list; one look at each code for a prefix. */
export function membersOf({ merchants }: { merchants: GroupMembers }, registry: Owner): FoundMembers {
  const { list, places } = codesOf(registry);
  if (merchants === 'all') return { codes: list, unknown: [] };
  if ('prefix' in merchants) {
    const { prefix } = merchants;
    return { codes: list.filter((code) => code.startsWith(prefix)), unknown: [] };
  }
  const named = new Map([...new Set(merchants)].map((code) => [code, places.get(code)]));
  const known = [...named].flatMap(([code, place]) => (place === undefined ? [] : [{ code, place }]));
  known.sort((one, other) => one.place - other.place);
  return {
    codes: known.map(({ code }) => code),
    unknown: [...named].flatMap(([code, place]) => (place === undefined ? [code] : [])),
  };
}
