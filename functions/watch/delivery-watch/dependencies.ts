import { buildFunctionDependencies } from '#mail/function-dependencies.ts';
import type { FunctionDependencies } from '#mail/function-dependencies.ts';
import { LedgerStore } from '#mail/ledger-store.ts';
import { SealedPages } from '#page/page-store.ts';
import { RegistrySource } from '#registry/registry-source.ts';
import type { Environment } from '#registry/environment.ts';
import { DayStore } from '#page/day-store.ts';
import { GroupHeads } from './look-at-pages.ts';
import type { RecordStores } from './look-at-pages.ts';
import { NotifiedStore } from './notified.ts';

export interface Dependencies extends FunctionDependencies, RecordStores {
  registry: RegistrySource;
  notifiedReports: Pick<NotifiedStore, 'read' | 'change'>;
  notifiedStatements: Pick<NotifiedStore, 'read' | 'change' | 'periods'>;
  deadlineMinutes: number;
}

export function buildDependencies(environment: Environment): Dependencies {
  const { s3, ...shared } = buildFunctionDependencies(environment, 'delivery-watch');
  const bucket = environment.data.bucket;
  const log = (error: unknown) => shared.telemetry.logError(error);
  return {
    ...shared,
    registry: new RegistrySource(s3, bucket, environment.registry.key),
    sealedPages: new SealedPages(s3, bucket),
    snapshots: new DayStore(s3, bucket),
    groupHeads: new GroupHeads(s3, bucket),
    ledgers: new LedgerStore(s3, bucket),
    notifiedReports: new NotifiedStore(s3, bucket, 'reports', log),
    notifiedStatements: new NotifiedStore(s3, bucket, 'statements', log),
    deadlineMinutes: environment.deadlines.deliveryMinutes,
  };
}
