import { isMembers } from '#records/json/exact-json.ts';
import { brandingSchema } from './branding.ts';
import { membersOf } from './group-members.ts';
import { groupSchema, prefixSchema } from './group-schema.ts';
import { MOST_GROUPS } from './groups.ts';
import type { Problem } from './problem.ts';
import { MERCHANT_CODE } from './registry-schema.ts';
import { MOST_MERCHANTS } from './registry.ts';
import { monthlySchema, weeklySchema } from './statement-settings.ts';
import { namesOf, unknownNames } from './unknown-names.ts';

interface Frame {
  readonly merchants: readonly unknown[];
  readonly groups: readonly unknown[];
}

function strangersIn(merchants: unknown, registry: Frame, at: readonly PropertyKey[]): Problem[] {
  if (Array.isArray(merchants)) {
    if (merchants.length > MOST_MERCHANTS) return [];
    const codes = merchants.filter((code) => typeof code === 'string' && MERCHANT_CODE.test(code));
    const unknown = new Set<unknown>(membersOf({ merchants: codes }, registry).unknown);
    return merchants.flatMap((code: unknown, index) => {
      if (!unknown.has(code)) return [];
      const reason = 'is the code of no merchant in the registry';
      return [{ at: [...at, index], reason, value: code, candidates: [] }];
    });
  }
  const given = prefixSchema.safeParse(merchants);
  if (!given.success || membersOf({ merchants: given.data }, registry).codes.length > 0) return [];
  const reason = 'finds no merchant in the registry';
  return [{ at: [...at, 'prefix'], reason, value: given.data.prefix, candidates: [] }];
}

/** Unknown members of groups, and merchants that the registry does not have. */
export function unknownInGroups(registry: Frame): Problem[] {
  const names = namesOf(groupSchema);
  const inner = Object.entries({
    merchants: namesOf(prefixSchema),
    branding: namesOf(brandingSchema),
    weekly: namesOf(weeklySchema),
    monthly: namesOf(monthlySchema),
  });
  const found: Problem[] = [];
  for (const [index, group] of registry.groups.slice(0, MOST_GROUPS).entries()) {
    if (!isMembers(group)) continue;
    const at = ['groups', index];
    const lists = [
      unknownNames(names, group, at),
      ...inner.map(([name, members]) => unknownNames(members, group[name], [...at, name])),
      strangersIn(group.merchants, registry, [...at, 'merchants']),
    ];
    // One by one: a call with some hundred thousand arguments overflows the stack.
    for (const list of lists) for (const problem of list) found.push(problem);
  }
  return found;
}
