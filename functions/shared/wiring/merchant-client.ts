import type { MerchantSettings, ServiceSettings } from '../core/registry.ts';
import { PaymentsClient } from '../payments/client.ts';
import type { MerchantPorts } from './merchant-ports.ts';

/** Whose service is read, and until when. */
export interface ClientRequest {
  service: ServiceSettings;
  settings: MerchantSettings;
  /** When reading must have ended, milliseconds UTC. */
  deadline: number;
}

/**
 * Reads the service with a client of this merchant's own, which ends with the reading.
 *
 * @throws {ForbiddenOriginError} when the registry points outside the allowed origins
 */
export async function withMerchantClient<T>(
  ports: Pick<MerchantPorts, 'clock' | 'environment' | 'secretOf'>,
  { service, settings, deadline }: ClientRequest,
  use: (client: PaymentsClient) => Promise<T>,
): Promise<T> {
  const { clock, environment } = ports;
  const { merchantCode, maxConcurrency } = settings;
  const client = new PaymentsClient({
    merchantCode,
    service,
    allowedOrigins: environment.SERVICE_ORIGINS,
    secret: ports.secretOf(settings.secretId ?? environment.CREDENTIALS_SECRET, merchantCode),
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
