import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { createSecretsManagerClient } from '#runtime/secrets-manager-client.ts';
import { secretName, withMerchantClient } from '#service/with-merchant-client.ts';
import { codesInEntries, parseRegistry } from '#registry/registry.ts';
import type { CommandContext } from '../context.ts';
import { readRegistry } from '../registry/stored-registry.ts';
import { assertCode } from '../stage/known-names.ts';
import { merchantSettings } from '#registry/merchants.ts';
import type { MerchantSettings, ServiceSettings } from '#registry/registry-schema.ts';
import type { Registry } from '#registry/registry.ts';
import { readSecretEntry } from '#service/authentication/credentials.ts';
import type { SecretEntry, MerchantCredentials, SecretReader } from '#service/authentication/credentials.ts';
import type { Members } from '../registry/registry-text.ts';
import type { Stage } from '../stage/stage.ts';
import { editSecret, withEntry, withEntryFor } from './stored-secret.ts';
import type { SecretPlace } from './stored-secret.ts';
import { setTimeout } from 'node:timers/promises';
import { resolveDay } from '#records/day/business-day.ts';
import { DaybookError } from '#records/errors/daybook-error.ts';
import { readInvoicePage } from '#service/invoices/invoice-list.ts';

export interface MerchantSecret {
  merchantCode: string;
  place: SecretPlace;
  client: SecretsManagerClient;
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

/** The secret of a merchant, who may be not in the registry yet, with what proves credentials. */
export async function secretOf({ stage: connect, now }: CommandContext, merchantCode: string) {
  assertCode(merchantCode);
  const stage = await connect();
  const registry = parseRegistry((await readRegistry(stage)).text);
  const settings = settingsOrDefaults(registry, merchantCode);
  const tries = (credentials: MerchantCredentials) =>
    prove(stage, registry.service, settings, credentials, now);
  return { stage, secret: merchantSecret(stage, settings), tries };
}

/** Reads an entry as the functions do. @throws {SecretError} that names the member, never a value */
export function readEntry({ merchantCode, place }: MerchantSecret, entry: Members): SecretEntry {
  const text = withEntry(undefined, merchantCode, entry, place);
  return readSecretEntry(text, merchantCode, place.name);
}

/** Puts a merchant's entry in the place of what was read before. @throws {CommandError} when others changed it meanwhile */
export function editEntry(
  { merchantCode, place, client }: MerchantSecret,
  before: unknown,
  after: Members,
): Promise<void> {
  return editSecret(client, place.name, (text) => withEntryFor(text, merchantCode, { before, after }, place));
}

/** How long the login and the page may take. Milliseconds. */
const LONGEST = 60_000;

export type Proof = { serves: true; invoices: number } | { serves: false; error: string; message: string };

/** Which secret a merchant has. */
export function secretSettings({ credentialsSecret, credentialsSecretPrefix }: Stage) {
  return { secret: credentialsSecret, prefix: credentialsSecretPrefix };
}

function only(current: MerchantCredentials): SecretReader {
  return {
    current: () => Promise.resolve({ current, previous: undefined }),
    beforeRotation: () => Promise.resolve(undefined),
  };
}

/**
 * Logs in with these credentials and reads one page of yesterday's invoices, as the functions do. So login, access
 * code, key and IV are proven. No other credentials are tried.
 */
export async function prove(
  stage: Stage,
  service: ServiceSettings,
  settings: MerchantSettings,
  credentials: MerchantCredentials,
  now: () => number,
): Promise<Proof> {
  const sleep = async (milliseconds: number, signal?: AbortSignal) => {
    await setTimeout(milliseconds, undefined, { signal });
  };
  const ports = {
    clock: { now, sleep },
    environment: { credentials: secretSettings(stage), service: { origins: [...stage.serviceOrigins] } },
    secretOf: () => only(credentials),
  };
  const day = resolveDay('yesterday', now(), settings.timeZone);
  try {
    const page = await withMerchantClient(ports, { service, settings, deadline: now() + LONGEST }, (client) =>
      readInvoicePage(client, day, settings.invoiceTypes[0] ?? '1', 1),
    );
    return { serves: true, invoices: page.total ?? page.invoices.length };
  } catch (error) {
    if (!(error instanceof DaybookError)) throw error;
    return { serves: false, error: error.name, message: error.message };
  }
}
