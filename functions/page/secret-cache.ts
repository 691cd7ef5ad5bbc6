import { createSecretsManagerClient } from '#runtime/secrets-manager-client.ts';
import { SecretCache } from '#service/authentication/secrets-manager-reader.ts';

/** Loaded when a secret is read: as one file, because a cold start pays for each. @param now milliseconds UTC */
export function newSecretCache(now: () => number): SecretCache {
  return new SecretCache(createSecretsManagerClient(), now);
}
