import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { createSecretsManagerClient } from '#runtime/secrets-manager-client.ts';
import { secretName } from '#service/merchant-client.ts';
import { codesInEntries } from '#registry/registry.ts';
import { merchantSettings } from '#registry/merchants.ts';
import { MERCHANT_CODE } from '#registry/registry-schema.ts';
import type { MerchantSettings } from '#registry/registry-schema.ts';
import type { Registry } from '#registry/registry.ts';
import { readSecretEntry } from '#service/authentication/credentials.ts';
import type { SecretEntry } from '#service/authentication/credentials.ts';
import type { Members } from '../registry/document/json-members.ts';
import type { Stage } from '../stage/stage.ts';
import { UsageError } from '../terminal/command-errors.ts';
import { shown } from '../terminal/shown-text.ts';
import { secretSettings } from './prove.ts';
import { withEntry } from './secret-text.ts';
import type { SecretPlace } from './secret-text.ts';

/** The secret that has the credentials of one merchant. */
export interface MerchantSecret {
  merchantCode: string;
  place: SecretPlace;
  client: SecretsManagerClient;
}

/** @throws {UsageError} when a text cannot be a merchant's code */
export function assertCode(code: string): void {
  if (MERCHANT_CODE.test(code)) return;
  throw new UsageError(
    `"${shown(code, 80)}" cannot be the code of a merchant: it has letters, digits and "-", 64 at most`,
  );
}

/**
 * The settings of a merchant. Those of the defaults, if the merchant is not in the registry yet.
 *
 * @throws {InvalidMerchantError} when the entry cannot be used
 */
export function settingsOrDefaults(registry: Registry, merchantCode: string): MerchantSettings {
  if (codesInEntries(registry).has(merchantCode)) return merchantSettings(registry, merchantCode);
  return merchantSettings({ ...registry, merchants: [{ merchantCode }] }, merchantCode);
}

/** @throws {SecretError} when the registry names a secret that is not allowed */
export function merchantSecret(
  stage: Stage,
  settings: Pick<MerchantSettings, 'merchantCode' | 'secretId'>,
): MerchantSecret {
  const name = secretName(settings, secretSettings(stage));
  const place = { name, prefix: stage.credentialsSecretPrefix };
  return { merchantCode: settings.merchantCode, place, client: createSecretsManagerClient() };
}

/** Reads an entry as the functions do. @throws {SecretError} that names the member, never a value */
export function readEntry({ merchantCode, place }: MerchantSecret, entry: Members): SecretEntry {
  const text = withEntry(undefined, merchantCode, entry, place);
  return readSecretEntry(text, merchantCode, place.name);
}
