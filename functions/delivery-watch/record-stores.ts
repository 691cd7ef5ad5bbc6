import type { LedgerStore } from '#mailing/ledger-store.ts';
import type { SnapshotStore } from '#snapshots/snapshot-store.ts';

/** Where the records of reports are. */
export interface RecordStores {
  snapshots: Pick<SnapshotStore, 'lastCheck' | 'revision'>;
  ledgers: Pick<LedgerStore, 'read'>;
}
