import { setTimeout } from 'node:timers/promises';
import { withMerchantClient } from '#service/merchant-client.ts';
import { resolveDay } from '#records/day/business-day.ts';
import { DaybookError } from '#records/errors/daybook-error.ts';
import type { MerchantSettings, ServiceSettings } from '#registry/registry-schema.ts';
import type { MerchantCredentials, SecretReader } from '#service/authentication/credentials.ts';
import { readInvoicePage } from '#service/invoices/invoice-list.ts';
import type { Stage } from '../stage/stage.ts';

/** How long the login and the page may take. Milliseconds. */
const LONGEST = 60_000;

/** Whether the service takes credentials. */
export type Proof = { serves: true; invoices: number } | { serves: false; error: string; message: string };

/** Which secret a merchant has. */
export function secretSettings({ credentialsSecret, credentialsSecretPrefix }: Stage) {
  return { secret: credentialsSecret, prefix: credentialsSecretPrefix };
}

/** These credentials and no others. */
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
