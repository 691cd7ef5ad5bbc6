import { membersOf } from '#domain/registry/group-members.ts';
import type { GroupSettings } from '#domain/registry/groups.ts';
import { allMerchants } from '#domain/registry/merchants.ts';
import type { MerchantSettings } from '#domain/registry/registry-schema.ts';
import type { Registry } from '#domain/registry/registry.ts';
import type { GroupPage } from '#domain/statement/group-page.ts';

/** The merchants of a group, as the registry has them now. */
export interface GroupMembers {
  /** In the order of the registry. */
  merchants: readonly MerchantSettings[];
  /** Codes that the group names and the registry does not have. */
  unknown: readonly string[];
  /** Codes whose entries in the registry cannot be used. */
  unusable: readonly string[];
}

/** The merchants of a group, in the order of the registry, and the codes of those that cannot have a page. */
export function groupMembers(registry: Registry, settings: GroupSettings): GroupMembers {
  const { codes, unknown } = membersOf(settings, registry);
  const usable = new Map(allMerchants(registry).merchants.map((one) => [one.merchantCode, one]));
  const merchants = codes.flatMap((code) => usable.get(code) ?? []);
  return { merchants, unknown, unusable: codes.filter((code) => !usable.has(code)) };
}

/**
 * Whether a sealed page names only merchants that are in the group now. The group may have changed since: its recipients must
 * not see the others.
 */
export function showsOnlyMembers(
  { merchants, missing, corrections }: Pick<GroupPage, 'merchants' | 'missing' | 'corrections'>,
  members: GroupMembers,
): boolean {
  const own = new Set([
    ...members.merchants.map(({ merchantCode }) => merchantCode),
    ...members.unknown,
    ...members.unusable,
  ]);
  return [...merchants, ...missing, ...corrections].every(({ merchantCode }) => own.has(merchantCode));
}
