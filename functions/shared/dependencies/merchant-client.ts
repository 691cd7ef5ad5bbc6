import type { MerchantSettings, ServiceSettings } from '#domain/registry/registry-schema.ts';
import { SecretError } from '#payments/authentication/credentials.ts';
import type { PaymentsClient } from '#payments/client.ts';
import type { MerchantDependencies } from './merchant-dependencies.ts';

/** Whose service is read, and until when. */
export interface ClientRequest {
  service: ServiceSettings;
  settings: MerchantSettings;
  /** When reading must have ended, milliseconds UTC. */
  deadline: number;
}

/** The merchant's own secret where the registry names one that it may name, else the one for all. */
function secretName(
  { merchantCode, secretId }: MerchantSettings,
  { CREDENTIALS_SECRET, CREDENTIALS_SECRET_PREFIX: prefix }: MerchantDependencies['environment'],
): string {
  if (secretId === undefined || secretId === CREDENTIALS_SECRET) return CREDENTIALS_SECRET;
  if (prefix === undefined) {
    throw new SecretError(
      `the registry's secretId of merchant ${merchantCode} may not be read: CREDENTIALS_SECRET_PREFIX is not set`,
    );
  }
  if (!secretId.startsWith(prefix)) {
    throw new SecretError(
      `the registry's secretId of merchant ${merchantCode} is not under CREDENTIALS_SECRET_PREFIX`,
    );
  }
  return secretId;
}

/**
 * Reads the service with a client of this merchant's own, which ends with the reading.
 *
 * @throws {ForbiddenOriginError} when the registry points outside the allowed origins
 * @throws {SecretError} when it names a secret outside the allowed prefix, or any where none is allowed
 */
export async function withMerchantClient<T>(
  ports: Pick<MerchantDependencies, 'clock' | 'environment' | 'secretOf'>,
  { service, settings, deadline }: ClientRequest,
  use: (client: PaymentsClient) => Promise<T>,
): Promise<T> {
  const { clock, environment } = ports;
  const { merchantCode, maxConcurrency } = settings;
  // Loaded where the service is read: whoever only goes on with a mail does not.
  const { PaymentsClient } = await import('#payments/client.ts');
  const client = new PaymentsClient({
    merchantCode,
    service,
    allowedOrigins: environment.SERVICE_ORIGINS,
    secret: ports.secretOf(secretName(settings, environment), merchantCode),
    maxConcurrency,
    deadline,
    now: () => clock.now(),
    sleep: (milliseconds, signal) => clock.sleep(milliseconds, signal),
  });
  try {
    return await use(client);
  } finally {
    client.close();
  }
}
