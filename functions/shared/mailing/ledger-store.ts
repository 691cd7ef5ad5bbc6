import type { Ledger } from '#domain/ledger/ledger.ts';

/** A ledger as read, with the version that an update must still find. */
export interface VersionedLedger {
  ledger: Ledger;
  version: string;
}

/** What became of the mails of one revision, or of one alert check. The key is the ledger's in the data bucket. */
export interface LedgerStore {
  read(key: string): Promise<VersionedLedger | undefined>;
  /** Creates the ledger unless there is one; `undefined` when there was. */
  create(key: string, ledger: Ledger): Promise<VersionedLedger | undefined>;
  /** Replaces the version given; `undefined` when another one has come between. */
  update(key: string, ledger: Ledger, version: string): Promise<VersionedLedger | undefined>;
}
