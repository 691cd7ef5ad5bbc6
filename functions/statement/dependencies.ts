import { storedGroupPageSchema } from '#domain/statement/stored-group-page.ts';
import type { GroupPage } from '#domain/statement/group-page.ts';
import { addedStatementSchema, statementSchema } from '#domain/statement/statement.ts';
import type { AddedStatement, Statement } from '#domain/statement/statement.ts';
import { buildFunctionDependencies } from '#dependencies/function-dependencies.ts';
import type { FunctionDependencies } from '#dependencies/function-dependencies.ts';
import { lazyMailSender } from '#dependencies/lazy-mail-sender.ts';
import { senderProfileOf } from '#mailing/message/sender-profile.ts';
import type { SenderProfile } from '#mailing/message/sender-profile.ts';
import type { MailPorts } from '#mailing/once/mail-once.ts';
import { S3LedgerStore } from '#mailing/s3-ledger-store.ts';
import { S3SuppressionList } from '#mailing/s3-suppression-list.ts';
import type { RegistrySource } from '#registry/registry-source.ts';
import { S3RegistrySource } from '#registry/s3-registry-source.ts';
import type { Environment } from '#runtime/environment.ts';
import type { HistoryStore } from '#snapshots/history-store.ts';
import { PageStore, SealedPages } from '#page/page-store.ts';
import { S3HistoryStore } from '#snapshots/s3-history-store.ts';
import { SnapshotStore } from '#snapshots/snapshot-store.ts';

export interface Dependencies extends FunctionDependencies, MailPorts {
  environment: Environment;
  registry: RegistrySource;
  senderProfile: SenderProfile;
  snapshots: SnapshotStore;
  sealedPages: Pick<SealedPages, 'newestRevisions'>;
  history: HistoryStore;
  statements: PageStore<Statement>;
  addedStatements: Pick<PageStore<AddedStatement>, 'revision'>;
  groupPages: PageStore<GroupPage>;
}

export function buildDependencies(environment: Environment): Dependencies {
  const { s3, ...shared } = buildFunctionDependencies(environment, 'statement');
  const { DATA_BUCKET: bucket, MAIL_FROM: from, SES_CONFIGURATION_SET: configurationSet } = environment;
  const snapshots = new SnapshotStore(s3, bucket);
  return {
    ...shared,
    environment,
    senderProfile: senderProfileOf(environment),
    mailSender: lazyMailSender({ from, configurationSet }),
    registry: new S3RegistrySource(s3, bucket, environment.REGISTRY_KEY),
    snapshots,
    sealedPages: new SealedPages(s3, bucket),
    history: new S3HistoryStore(s3, bucket, snapshots),
    statements: new PageStore(s3, bucket, statementSchema),
    addedStatements: new PageStore(s3, bucket, addedStatementSchema),
    groupPages: new PageStore(s3, bucket, storedGroupPageSchema),
    ledgers: new S3LedgerStore(s3, bucket),
    suppressionList: new S3SuppressionList(s3, bucket),
  };
}
