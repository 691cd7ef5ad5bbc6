import { rulesOfRegistry } from '#domain/alerts/registry-rules.ts';
import { allGroups } from '#domain/registry/groups.ts';
import { allMerchants } from '#domain/registry/merchants.ts';
import { codesInEntries } from '#domain/registry/merchant-codes.ts';
import type { MerchantSettings } from '#domain/registry/registry-schema.ts';
import type { Registry } from '#domain/registry/registry.ts';
import { rejectionOf } from '#domain/registry/problem.ts';
import type { Rejection } from '#domain/registry/problem.ts';

/** The merchants of a plan, and the parts of registry and event that cannot be used. */
export interface NamedMerchants {
  merchants: MerchantSettings[];
  /** Every problem of the entries that are left out, by its path in the registry. */
  rejectedEntries: Rejection[];
  /** The number of entries that are left out. */
  entriesLeftOut: number;
  /** Every problem of the rules that are left out, by its path. Their merchants run without them. */
  rejectedRules: Rejection[];
  /** The number of rules that are left out. A rule in `defaults` counts once. */
  rulesLeftOut: number;
  /** Every problem of the groups that are left out, by its path. Their merchants run. */
  rejectedGroups: Rejection[];
  /** The number of groups that are left out. */
  groupsLeftOut: number;
  /** Names in the event that the registry does not have, by their path in the event. */
  unknownNames: Rejection[];
}

/** The merchants with these codes, or all when `names` is left out. */
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
