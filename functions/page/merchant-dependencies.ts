import type { S3Client } from '@aws-sdk/client-s3';
import type { SecretReader } from '#service/authentication/credentials.ts';
import type { Environment } from '#registry/environment.ts';
import { TokenCache } from '#service/authentication/token-cache.ts';
import type { SecretCache } from '#service/authentication/secrets-manager-reader.ts';
import type { Clock } from '#runtime/clock.ts';
import { buildMailingDependencies } from './mailing-dependencies.ts';
import type { MailingDependencies } from './mailing-dependencies.ts';

/** Through one cache, built at the first reading. */
function lazySecrets(clock: Clock): (secretName: string, merchantCode: string) => SecretReader {
  let cache: SecretCache | undefined;
  return (secretName, merchantCode) => {
    const reader = async () => {
      const { newSecretCache } = await import('./secret-cache.ts');
      cache ??= newSecretCache(() => clock.now());
      return cache.reader(secretName, merchantCode);
    };
    return {
      current: async (fresh) => (await reader()).current(fresh),
      beforeRotation: async () => (await reader()).beforeRotation(),
    };
  };
}

/** What a function works with when it reads one merchant from the service, too. */
export interface MerchantDependencies extends MailingDependencies {
  secretOf: (secretName: string, merchantCode: string) => SecretReader;
  /** Of this process, so that the days of a merchant share a login. */
  tokens: TokenCache;
  watchedRefundIds: (merchantCode: string) => Promise<string[]>;
}

/** As {@link buildMailingDependencies}. */
export function buildMerchantDependencies(
  environment: Environment,
  functionName: string,
): MerchantDependencies & { s3: S3Client } {
  const shared = buildMailingDependencies(environment, functionName);
  return {
    ...shared,
    secretOf: lazySecrets(shared.clock),
    tokens: new TokenCache(),
    // Loaded for merchants with a watch list only: most have none.
    watchedRefundIds: async (merchantCode) => {
      const { watchedRefundIds } = await import('./watch-list.ts');
      return watchedRefundIds(shared.s3, environment.data.bucket, merchantCode);
    },
  };
}
