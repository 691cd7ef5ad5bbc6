import { rulesOfRegistry } from '#alerts/rules/registry-rules.ts';
import { allGroups } from '#registry/groups.ts';
import { allMerchants } from '#registry/merchants.ts';
import { codesInEntries } from '#registry/registry.ts';
import type { MerchantSettings } from '#registry/registry-schema.ts';
import type { Registry } from '#registry/registry.ts';
import { rejectionOf } from '#registry/problem.ts';
import type { Rejection } from '#registry/problem.ts';

export interface NamedMerchants {
  merchants: MerchantSettings[];
  /** Every problem of the entries left out, by its path in the registry. */
  rejectedEntries: Rejection[];
  entriesLeftOut: number;
  /** Every problem of the rules left out. Their merchants run without them. */
  rejectedRules: Rejection[];
  rulesLeftOut: number;
  /** Every problem of the groups left out. Their merchants run. */
  rejectedGroups: Rejection[];
  groupsLeftOut: number;
  /** By their path in the event. */
  unknownNames: Rejection[];
}

/** All merchants when `names` is left out. */
export function namedMerchants(registry: Registry, names: readonly string[] | undefined): NamedMerchants {
  const { merchants, rejected: rejectedEntries, leftOut: entriesLeftOut } = allMerchants(registry);
  const { problems, leftOut: rulesLeftOut } = rulesOfRegistry(registry);
  const rejectedRules = problems.map((problem) => rejectionOf(problem, problem.merchantCode));
  const { rejected: rejectedGroups, leftOut: groupsLeftOut } = allGroups(registry);
  const left = {
    ...{ rejectedEntries, entriesLeftOut },
    ...{ rejectedRules, rulesLeftOut },
    ...{ rejectedGroups, groupsLeftOut },
  };
  if (names === undefined) return { merchants, ...left, unknownNames: [] };
  const wanted = new Set(names);
  const usable = new Set(merchants.map(({ merchantCode }) => merchantCode));
  const claimed = codesInEntries(registry);
  const unknownNames = names.flatMap((name, index) => {
    if (usable.has(name)) return [];
    const reason = claimed.has(name)
      ? 'the entry of this merchant in the registry is not usable'
      : 'the registry has no such merchant';
    return [{ path: `merchants[${index}]`, reason }];
  });
  return {
    merchants: merchants.filter(({ merchantCode }) => wanted.has(merchantCode)),
    ...left,
    unknownNames,
  };
}
