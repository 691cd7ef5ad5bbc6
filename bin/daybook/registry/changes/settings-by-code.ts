import { placesOfCodes } from '#domain/registry/merchant-codes.ts';
import { allMerchants } from '#domain/registry/merchants.ts';
import { RegistryError } from '#domain/registry/registry-errors.ts';
import type { MerchantSettings } from '#domain/registry/registry-schema.ts';
import { parseRegistry } from '#domain/registry/registry.ts';

/** The settings of every merchant as the functions use them. */
export interface SettingsByCode {
  settings: ReadonlyMap<string, MerchantSettings>;
  /** The merchants with an entry that cannot be used. */
  unusable: ReadonlySet<string>;
}

/** Reads all settings of a registry. None, when the functions could not use the registry at all. */
export function settingsByCode(text: string | undefined): SettingsByCode {
  if (text === undefined) return { settings: new Map(), unusable: new Set() };
  try {
    const registry = parseRegistry(text);
    const { merchants } = allMerchants(registry);
    const settings = new Map(merchants.map((merchant) => [merchant.merchantCode, merchant]));
    const codes = new Set(placesOfCodes(registry).keys());
    return { settings, unusable: codes.difference(settings) };
  } catch (error) {
    if (error instanceof RegistryError) return { settings: new Map(), unusable: new Set() };
    throw error;
  }
}
