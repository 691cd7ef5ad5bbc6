import type { Ledger } from '#domain/ledger/ledger.ts';

export interface VersionedLedger {
  ledger: Ledger;
  version: string;
}

/**
 * Of mails of revisions and alert checks, by their keys. `now` is milliseconds UTC: before a report's ledger
 * changes, the store notes that the day's mail is about to change.
 */
export interface LedgerStore {
  read(key: string): Promise<VersionedLedger | undefined>;
  /** So that the write that follows need not wait for the note. Never fails: the write notes it again. */
  announce(key: string, now: number): Promise<void>;
  /** `undefined` when it exists already. */
  create(key: string, ledger: Ledger, now: number): Promise<VersionedLedger | undefined>;
  /** `undefined` when the ledger has another version by now. */
  update(key: string, ledger: Ledger, version: string, now: number): Promise<VersionedLedger | undefined>;
}
