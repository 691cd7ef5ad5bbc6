import { allGroups } from '#domain/registry/groups.ts';
import { allMerchants } from '#domain/registry/merchants.ts';
import type { Registry } from '#domain/registry/registry.ts';
import { addressHash } from '#domain/storage/keys.ts';
import type { StatementOwner } from '#domain/storage/statement-keys.ts';
import type { OpenTimes } from './periods-mailed.ts';

/** What the sweep needs of the registry's merchants and groups. */
export interface RegistryOwners {
  /** The hashes of an owner's addresses. `undefined` when the registry does not have it, or cannot be used. */
  recipientsOf: (owner: StatementOwner) => readonly string[] | undefined;
  /** Of all merchants with statements, and of all groups. */
  openTimes: readonly OpenTimes[];
}

/**
 * Reads all merchants and groups once. Searching the registry for each merchant would cost the square of its length.
 *
 * @param registry `undefined` when there is no usable one
 */
export function ownersOf(registry: Registry | undefined): RegistryOwners {
  const merchants = registry === undefined ? [] : allMerchants(registry).merchants;
  const groups = registry === undefined ? [] : allGroups(registry).groups;
  const ofMerchants = new Map(
    merchants.map(({ merchantCode, recipients }) => [merchantCode, recipients.map(addressHash)]),
  );
  const ofGroups = new Map(groups.map(({ name, recipients }) => [name, recipients.map(addressHash)]));
  return {
    recipientsOf: ({ merchantCode, group }) =>
      merchantCode === undefined ? ofGroups.get(group) : ofMerchants.get(merchantCode),
    openTimes: [...merchants.flatMap(({ statements }) => statements ?? []), ...groups],
  };
}
