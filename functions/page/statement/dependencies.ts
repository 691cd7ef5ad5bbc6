import { storedGroupPageSchema } from '../figures/stored-group-page.ts';
import type { GroupPage } from '../figures/group-page.ts';
import { addedStatementSchema, statementSchema } from '../figures/statement.ts';
import type { AddedStatement, Statement } from '../figures/statement.ts';
import { buildFunctionDependencies, lazyMailSender } from '#mail/function-dependencies.ts';
import type { FunctionDependencies } from '#mail/function-dependencies.ts';
import { senderProfileOf } from '#mail/message/sender-profile.ts';
import type { SenderProfile } from '#mail/message/sender-profile.ts';
import type { MailPorts } from '#mail/once/mail-once.ts';
import { LedgerStore } from '#mail/ledger-store.ts';
import { SuppressionList } from '#mail/suppression-list.ts';
import { RegistrySource } from '#registry/registry-source.ts';
import type { Environment } from '#registry/environment.ts';
import { PageStore, SealedPages } from '../page-store.ts';
import { HistoryStore } from '../history-store.ts';
import { SnapshotStore } from '../snapshot-store.ts';

/** What `statement` works with. */
export interface Dependencies extends FunctionDependencies, Omit<MailPorts, 'opsNotices'> {
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
  const { bucket } = environment.data;
  const snapshots = new SnapshotStore(s3, bucket);
  return {
    ...shared,
    environment,
    senderProfile: senderProfileOf(environment),
    mailSender: lazyMailSender({ ...environment.ses, from: environment.mail.from }),
    registry: new RegistrySource(s3, bucket, environment.registry.key),
    snapshots,
    sealedPages: new SealedPages(s3, bucket),
    history: new HistoryStore(s3, bucket, snapshots),
    statements: new PageStore(s3, bucket, statementSchema),
    addedStatements: new PageStore(s3, bucket, addedStatementSchema),
    groupPages: new PageStore(s3, bucket, storedGroupPageSchema),
    ledgers: new LedgerStore(s3, bucket),
    suppressionList: new SuppressionList(s3, bucket),
  };
}
