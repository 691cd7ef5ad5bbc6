import { storedGroupPageSchema } from '../figures/group-page.ts';
import type { GroupPage } from '../figures/group-page.ts';
import { addedStatementSchema, storedStatementSchema } from '../figures/statement.ts';
import type { AddedStatement, Statement } from '../figures/statement.ts';
import { buildMailingDependencies } from '../page-dependencies.ts';
import type { Environment } from '#registry/environment.ts';
import { PageStore, SealedPages } from '../page-store.ts';
import { ClosingStore } from './closing-store.ts';

export type Dependencies = ReturnType<typeof buildDependencies>;

export function buildDependencies(environment: Environment) {
  const { s3, ...shared } = buildMailingDependencies(environment, 'statement');
  const { bucket } = environment.data;
  return {
    ...shared,
    sealedPages: new SealedPages(s3, bucket),
    statements: new PageStore<Statement>(s3, bucket, storedStatementSchema),
    addedStatements: new PageStore<AddedStatement>(s3, bucket, addedStatementSchema),
    groupPages: new PageStore<GroupPage>(s3, bucket, storedGroupPageSchema),
    closings: new ClosingStore(s3, bucket),
  };
}
