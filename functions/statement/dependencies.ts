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
import type { Environment } from '#domain/settings/environment.ts';
import type { HistoryStore } from '#snapshots/history-store.ts';
import type { PageStore } from '#snapshots/page-store.ts';
import { S3HistoryStore } from '#snapshots/s3-history-store.ts';
import { S3PageStore } from '#snapshots/s3-page-store.ts';
import { S3SealedDays } from '#snapshots/s3-sealed-days.ts';
import { S3SnapshotStore } from '#snapshots/s3-snapshot-store.ts';
import type { SealedDays } from '#snapshots/sealed-days.ts';
import type { SnapshotStore } from '#snapshots/snapshot-store.ts';

/** What `statement` works with. */
export interface Dependencies extends FunctionDependencies, MailPorts {
  environment: Environment;
  registry: RegistrySource;
  senderProfile: SenderProfile;
  snapshots: SnapshotStore;
  sealedDays: Pick<SealedDays, 'newestRevisions'>;
  history: HistoryStore;
  statements: PageStore<Statement>;
  /** The same statements, as a group reads them. */
  addedStatements: Pick<PageStore<AddedStatement>, 'revision' | 'merchantRevisions'>;
  groupPages: PageStore<GroupPage>;
}

/** Connects the function to AWS. Called once per cold start. */
export function buildDependencies(environment: Environment): Dependencies {
  const { s3, ...shared } = buildFunctionDependencies(environment, 'statement');
  const { bucket } = environment.data;
  const snapshots = new S3SnapshotStore(s3, bucket);
  return {
    ...shared,
    environment,
    senderProfile: senderProfileOf(environment),
    mailSender: lazyMailSender({ ...environment.ses, from: environment.mail.from }),
    registry: new S3RegistrySource(s3, bucket, environment.registry.key),
    snapshots,
    sealedDays: new S3SealedDays(s3, bucket),
    history: new S3HistoryStore(s3, bucket, snapshots),
    statements: new S3PageStore(s3, bucket, statementSchema),
    addedStatements: new S3PageStore(s3, bucket, addedStatementSchema),
    groupPages: new S3PageStore(s3, bucket, storedGroupPageSchema),
    ledgers: new S3LedgerStore(s3, bucket),
    suppressionList: new S3SuppressionList(s3, bucket),
  };
}
