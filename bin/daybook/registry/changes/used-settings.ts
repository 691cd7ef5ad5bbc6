import { membersOf, allGroups } from '#registry/groups.ts';
import { usableName } from '#registry/group.ts';
import type { GroupSettings } from '#registry/groups.ts';
import { placesOfCodes, parseRegistry } from '#registry/registry.ts';
import { allMerchants } from '#registry/merchants.ts';
import { RegistryError } from '#registry/registry-errors.ts';
import type { MerchantSettings } from '#registry/registry-schema.ts';

/** The settings of merchants or groups as the functions use them, by code or name. */
export interface UsedSettings<Settings> {
  settings: ReadonlyMap<string, Settings>;
  /** Those with an entry that cannot be used. */
  unusable: ReadonlySet<string>;
}

/** A group and its merchants. */
export interface GroupWithMembers extends GroupSettings {
  codes: readonly string[];
}

/** All settings of a registry as the functions use them. */
export interface RegistrySettings {
  merchants: UsedSettings<MerchantSettings>;
  groups: UsedSettings<GroupWithMembers>;
}

function used<Settings>(
  settings: ReadonlyMap<string, Settings>,
  names: Iterable<string>,
): UsedSettings<Settings> {
  return { settings, unusable: new Set(names).difference(settings) };
}

/** Reads all settings of a registry. None, when the functions could not use the registry at all. */
export function settingsOf(text: string | undefined): RegistrySettings {
  const nothing = {
    merchants: used<MerchantSettings>(new Map(), []),
    groups: used<GroupWithMembers>(new Map(), []),
  };
  if (text === undefined) return nothing;
  try {
    const registry = parseRegistry(text);
    const { merchants } = allMerchants(registry);
    const { groups } = allGroups(registry);
    return {
      merchants: used(
        new Map(merchants.map((merchant) => [merchant.merchantCode, merchant])),
        placesOfCodes(registry).keys(),
      ),
      groups: used(
        new Map(groups.map((group) => [group.name, { ...group, codes: membersOf(group, registry).codes }])),
        registry.groups.map(usableName).filter((name) => name !== null),
      ),
    };
  } catch (error) {
    if (error instanceof RegistryError) return nothing;
    throw error;
  }
}
