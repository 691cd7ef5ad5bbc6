import { LedgerStore } from '#mail/ledger-store.ts';
import { SuppressionList } from '#mail/suppression-list.ts';
import { once } from '#registry/once.ts';
import { RegistrySource } from '#registry/registry-source.ts';
import type { Environment } from '#registry/environment.ts';
import { HistoryStore } from './history-store.ts';
import { DayStore } from './day-store.ts';
import { buildFunctionDependencies, lazyMailSender } from '#mail/function-dependencies.ts';
import type { SecretReader } from '#service/authentication/credentials.ts';
import { TokenCache } from '#service/authentication/token-cache.ts';
import type { Clock } from '#runtime/clock.ts';

/** What a function works with that mails pages. Called once per cold start. @param functionName in logs and metrics */
export function buildMailingDependencies(environment: Environment, functionName: string) {
  const shared = buildFunctionDependencies(environment, functionName);
  const { s3 } = shared;
  const { data, mail, branding, links, registry, ses } = environment;
  const { bucket } = data;
  const snapshots = new DayStore(s3, bucket);
  return {
    ...shared,
    environment,
    senderProfile: { ...mail, branding, links },
    mailSender: lazyMailSender({ ...ses, from: mail.from }),
    registry: new RegistrySource(s3, bucket, registry.key),
    snapshots,
    history: new HistoryStore(s3, bucket, snapshots),
    ledgers: new LedgerStore(s3, bucket),
    suppressionList: new SuppressionList(s3, bucket),
  };
}

/** Through one cache, built at the first reading. */
function lazySecrets(clock: Clock): (secretName: string, merchantCode: string) => SecretReader {
  const cache = once(async () => (await import('./secret-cache.ts')).newSecretCache(() => clock.now()));
  return (secretName, merchantCode) => {
    const reader = async () => (await cache()).reader(secretName, merchantCode);
    return {
      current: async (fresh) => (await reader()).current(fresh),
      beforeRotation: async () => (await reader()).beforeRotation(),
    };
  };
}

/** What a function works with when it reads one merchant from the service, too. As {@link buildMailingDependencies}. */
export function buildMerchantDependencies(environment: Environment, functionName: string) {
  const shared = buildMailingDependencies(environment, functionName);
  return {
    ...shared,
    secretOf: lazySecrets(shared.clock),
    /** Of this process, so that the days of a merchant share a login. */
    tokens: new TokenCache(),
    // Loaded for merchants with a watch list only: most have none.
    watchedRefundIds: async (merchantCode: string) => {
      const { watchedRefundIds } = await import('./watch-list.ts');
      return watchedRefundIds(shared.s3, environment.data.bucket, merchantCode);
    },
  };
}

export type MerchantDependencies = Omit<ReturnType<typeof buildMerchantDependencies>, 's3'>;
