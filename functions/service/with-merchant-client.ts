import type { MerchantSettings, ServiceSettings } from '#registry/registry-schema.ts';
import type { SecretReader } from './authentication/credentials.ts';
import { SecretError } from './authentication/credentials.ts';
import type { TokenCache } from './authentication/token-cache.ts';
import type { PaymentsClient } from './client.ts';
import type { Environment } from '#registry/environment.ts';

export interface ClientRequest {
  service: ServiceSettings;
  settings: MerchantSettings;
  /** Milliseconds UTC by which reading must end. */
  deadline: number;
}

type ClientEnvironment = Pick<Environment, 'credentials' | 'service'>;

interface ClientPorts {
  clock: { now(): number; sleep(milliseconds: number, signal?: AbortSignal): Promise<void> };
  environment: ClientEnvironment;
  secretOf: (secretName: string, merchantCode: string) => SecretReader;
  tokens?: TokenCache;
}

/** The merchant's own secret, or the default one. @throws {SecretError} when the registry names another */
export function secretName(
  { merchantCode, secretId }: Pick<MerchantSettings, 'merchantCode' | 'secretId'>,
  { secret, prefix }: ClientEnvironment['credentials'],
): string {
  if (secretId === undefined || secretId === secret) return secret;
  if (prefix === undefined) {
    throw new SecretError(
      `the registry's secretId of merchant ${merchantCode} may not be read: CREDENTIALS_PREFIX is not set`,
    );
  }
  if (!secretId.startsWith(prefix)) {
    throw new SecretError(
      `the registry's secretId of merchant ${merchantCode} is not under CREDENTIALS_PREFIX`,
    );
  }
  return secretId;
}

/**
 * Reads the service with a client of its own, closed afterwards.
 * @throws {ForbiddenOriginError} when the registry names an address outside the allowed origins
 * @throws {SecretError} when the registry names a secret that is not allowed
 */
export async function withMerchantClient<T>(
  ports: ClientPorts,
  { service, settings, deadline }: ClientRequest,
  use: (client: PaymentsClient) => Promise<T>,
): Promise<T> {
  const { clock, environment } = ports;
  const { merchantCode, maxConcurrency } = settings;
  // Loaded only to read the service: a run that only continues a mail does not need it.
  const { PaymentsClient } = await import('./client.ts');
  const client = new PaymentsClient({
    merchantCode,
    service,
    allowedOrigins: environment.service.origins,
    secret: ports.secretOf(secretName(settings, environment.credentials), merchantCode),
    tokens: ports.tokens,
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
