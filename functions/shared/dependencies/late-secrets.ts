import type { SecretCache } from '#aws/secrets-manager-reader.ts';
import type { SecretReader } from '#payments/authentication/credentials.ts';
import type { Clock } from '#runtime/clock.ts';

/**
 * Reads one merchant's entry of a secret, through one cache. The client is loaded and built at the first
 * reading.
 */
export function lateSecrets(clock: Clock): (secretName: string, merchantCode: string) => SecretReader {
  let cache: SecretCache | undefined;
  return (secretName, merchantCode) => {
    const reader = async () => {
      const { SecretCache, createSecretsManagerClient } = await import('#aws/secrets-manager-reader.ts');
      cache ??= new SecretCache(createSecretsManagerClient(), () => clock.now());
      return cache.reader(secretName, merchantCode);
    };
    return {
      current: async (fresh) => (await reader()).current(fresh),
      beforeRotation: async () => (await reader()).beforeRotation(),
    };
  };
}
