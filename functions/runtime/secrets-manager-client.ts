import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { requestHandler } from './aws-clients.ts';

/** All attempts together end well before a run does. */
export function createSecretsManagerClient(): SecretsManagerClient {
  return new SecretsManagerClient({ maxAttempts: 4, requestHandler: requestHandler(8_000) });
}
