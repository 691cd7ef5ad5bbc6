import type { S3Client } from '@aws-sdk/client-s3';
import type { MailPorts } from '#mailing/once/mail-once.ts';
import { senderProfileOf } from '#mailing/message/sender-profile.ts';
import type { SenderProfile } from '#mailing/message/sender-profile.ts';
import { S3LedgerStore } from '#mailing/s3-ledger-store.ts';
import { S3SuppressionList } from '#mailing/s3-suppression-list.ts';
import type { SecretReader } from '#payments/authentication/credentials.ts';
import type { RegistrySource } from '#registry/registry-source.ts';
import { S3RegistrySource } from '#registry/s3-registry-source.ts';
import type { Environment } from '#runtime/environment.ts';
import type { HistoryStore } from '#snapshots/history-store.ts';
import { S3HistoryStore } from '#snapshots/s3-history-store.ts';
import { watchedRefundIds } from '#snapshots/s3-watch-list.ts';
import { SnapshotStore } from '#snapshots/snapshot-store.ts';
import { buildFunctionDependencies } from './function-dependencies.ts';
import type { FunctionDependencies } from './function-dependencies.ts';
import { lazyMailSender } from './lazy-mail-sender.ts';
import type { SecretCache } from '#aws/secrets-manager-reader.ts';
import type { Clock } from '#runtime/clock.ts';

/** Through one cache, built at the first reading. */
function lazySecrets(clock: Clock): (secretName: string, merchantCode: string) => SecretReader {
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

export interface MerchantDependencies extends FunctionDependencies, MailPorts {
  environment: Environment;
  registry: RegistrySource;
  senderProfile: SenderProfile;
  snapshots: SnapshotStore;
  history: HistoryStore;
  secretOf: (secretName: string, merchantCode: string) => SecretReader;
  watchedRefundIds: (merchantCode: string) => Promise<string[]>;
}

/** Called once per cold start. @param functionName in logs and metrics */
export function buildMerchantDependencies(
  environment: Environment,
  functionName: string,
): MerchantDependencies & { s3: S3Client } {
  const shared = buildFunctionDependencies(environment, functionName);
  const { s3, clock } = shared;
  const { DATA_BUCKET: bucket, MAIL_FROM: from, SES_CONFIGURATION_SET: configurationSet } = environment;
  const snapshots = new SnapshotStore(s3, bucket);
  return {
    ...shared,
    environment,
    senderProfile: senderProfileOf(environment),
    mailSender: lazyMailSender({ from, configurationSet }),
    registry: new S3RegistrySource(s3, bucket, environment.REGISTRY_KEY),
    secretOf: lazySecrets(clock),
    watchedRefundIds: (merchantCode) => watchedRefundIds(s3, bucket, merchantCode),
    snapshots,
    history: new S3HistoryStore(s3, bucket, snapshots),
    ledgers: new S3LedgerStore(s3, bucket),
    suppressionList: new S3SuppressionList(s3, bucket),
  };
}
