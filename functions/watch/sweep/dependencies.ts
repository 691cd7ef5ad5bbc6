import { AlertStateStore } from '#alerts/alert-state-store.ts';
import { buildFunctionDependencies } from '#mail/function-dependencies.ts';
import type { FunctionDependencies } from '#mail/function-dependencies.ts';
import { LedgerStore } from '#mail/ledger-store.ts';
import { RegistrySource } from '#registry/registry-source.ts';
import type { Environment } from '#registry/environment.ts';
import { SnapshotStore } from '#page/snapshot-store.ts';
import type { Failures } from './failures.ts';
import { StoredObjects } from './stored-objects.ts';

export interface Dependencies extends FunctionDependencies {
  objects: StoredObjects;
  snapshots: Pick<SnapshotStore, 'revision'>;
  ledgers: LedgerStore;
  alertStates: Pick<AlertStateStore, 'read'>;
  registry: RegistrySource;
  /** From the end of a run's time until its mail is settled. */
  unsettledAfterMinutes: number;
}

export interface SweepRun extends Dependencies {
  failures: Failures;
}

export function buildDependencies(environment: Environment): Dependencies {
  const { s3, ...shared } = buildFunctionDependencies(environment, 'sweep');
  const bucket = environment.data.bucket;
  return {
    ...shared,
    objects: new StoredObjects(s3, bucket),
    snapshots: new SnapshotStore(s3, bucket),
    ledgers: new LedgerStore(s3, bucket),
    alertStates: new AlertStateStore(s3, bucket),
    registry: new RegistrySource(s3, bucket, environment.registry.key),
    unsettledAfterMinutes: environment.deadlines.unsettledMinutes,
  };
}
