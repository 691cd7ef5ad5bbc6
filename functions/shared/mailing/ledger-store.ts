import type { Ledger } from '#domain/ledger/ledger.ts';

/** A ledger as it was read, with the version that an update must replace. */
export interface VersionedLedger {
  ledger: Ledger;
  version: string;
}

/** The ledgers of the mails of revisions and alert checks. `key` is the ledger's key in the data bucket. */
export interface LedgerStore {
  read(key: string): Promise<VersionedLedger | undefined>;
  /** Creates the ledger. `undefined` when it exists already. */
  create(key: string, ledger: Ledger): Promise<VersionedLedger | undefined>;
  /** Replaces the given version. `undefined` when the ledger has another version by now. */
  update(key: string, ledger: Ledger, version: string): Promise<VersionedLedger | undefined>;
}
