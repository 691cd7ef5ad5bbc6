import { setTimeout } from 'node:timers/promises';
import { resolveDay } from '#records/day/business-day.ts';
import { DaybookError } from '#records/errors/daybook-error.ts';
import { merchantSettings } from '#registry/merchants.ts';
import type { MerchantSettings, ServiceSettings } from '#registry/registry-schema.ts';
import { codesInEntries } from '#registry/registry.ts';
import type { Registry } from '#registry/registry.ts';
import type { MerchantCredentials } from '#service/authentication/credentials.ts';
import { readInvoicePage } from '#service/invoices/invoice-list.ts';
import { secretName, withMerchantClient } from '#service/with-merchant-client.ts';
import type { CommandContext } from '../context.ts';
import { readRegistry } from '../registry/stored-registry.ts';
import { assertCode } from '../stage/known-names.ts';
import type { Stage } from '../stage/stage.ts';
import { MerchantSecret } from './stored-secret.ts';

/** The settings of a merchant, or the defaults. @throws {InvalidMerchantError} when the entry cannot be used */
export function settingsOrDefaults(registry: Registry, merchantCode: string): MerchantSettings {
  if (codesInEntries(registry).has(merchantCode)) return merchantSettings(registry, merchantCode);
  return merchantSettings({ ...registry, merchants: [{ merchantCode }] }, merchantCode);
}

export function secretSettings({ credentialsSecret, credentialsSecretPrefix }: Stage) {
  return { secret: credentialsSecret, prefix: credentialsSecretPrefix };
}

/** @throws {SecretError} when the registry names a secret that is not allowed */
export function merchantSecret(stage: Stage, settings: MerchantSettings): MerchantSecret {
  const name = secretName(settings, secretSettings(stage));
  return new MerchantSecret(settings.merchantCode, { name, prefix: stage.credentialsSecretPrefix });
}

/** The secret of a merchant, who may be not in the registry yet, with what proves credentials. */
export async function secretOf({ stage: connect, now }: CommandContext, merchantCode: string) {
  assertCode(merchantCode);
  const stage = await connect();
  const { registry } = await readRegistry(stage);
  const settings = settingsOrDefaults(registry, merchantCode);
  const tries = (credentials: MerchantCredentials) =>
    prove(stage, registry.service, settings, credentials, now);
  return { stage, secret: merchantSecret(stage, settings), tries };
}

/** How long the login and the page may take. Milliseconds. */
const LONGEST = 60_000;

export type Proof = { serves: true } | { serves: false; error: string; message: string };

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
  const only = {
    current: () => Promise.resolve({ current: credentials, previous: undefined }),
    beforeRotation: () => Promise.resolve(undefined),
  };
  const ports = {
    clock: { now, sleep },
    environment: { credentials: secretSettings(stage), service: { origins: [...stage.serviceOrigins] } },
    secretOf: () => only,
  };
  const day = resolveDay('yesterday', now(), settings.timeZone);
  try {
    await withMerchantClient(ports, { service, settings, deadline: now() + LONGEST }, (client) =>
      readInvoicePage(client, day, settings.invoiceTypes[0] ?? '1', 1),
    );
    return { serves: true };
  } catch (error) {
    if (!(error instanceof DaybookError)) throw error;
    return { serves: false, error: error.name, message: error.message };
  }
}
