import type { Ledger } from '#domain/ledger/ledger.ts';

/** A ledger as it was read, with the version that an update must replace. */
export interface VersionedLedger {
  ledger: Ledger;
  version: string;
}

/**
 * The ledgers of the mails of revisions and alert checks. `key` is the ledger's key in the data bucket. `now` is
 * the time of the call, milliseconds UTC: before the ledger of a report changes, the store notes that the day's
 * mail is about to change.
 */
export interface LedgerStore {
  read(key: string): Promise<VersionedLedger | undefined>;
  /**
   * Notes the change ahead, so that the write that follows in this run need not wait for it. Never fails: the write
   * notes it again.
   */
  announce(key: string, now: number): Promise<void>;
  /** Creates the ledger. `undefined` when it exists already. */
  create(key: string, ledger: Ledger, now: number): Promise<VersionedLedger | undefined>;
  /** Replaces the given version. `undefined` when the ledger has another version by now. */
  update(key: string, ledger: Ledger, version: string, now: number): Promise<VersionedLedger | undefined>;
}
