import type { AlertState } from '#domain/alerts/alert-state.ts';

/** A merchant's rule states as they were read, with the version that a write must replace. */
export interface VersionedAlertState {
  state: AlertState;
  version: string;
}

/** The states of merchants' rules. */
export interface AlertStateStore {
  /** `undefined` before the merchant's first check. */
  read(merchantCode: string): Promise<VersionedAlertState | undefined>;
  /**
   * Replaces that version. Without a version, creates the state if there is none.
   *
   * @returns whether it was written; `false` when another writer was faster
   */
  write(merchantCode: string, state: AlertState, version: string | undefined): Promise<boolean>;
}
