import type { AlertState } from '#domain/alerts/alert-state.ts';

/** A merchant's rule states as read, with the version that a write must still find. */
export interface VersionedAlertState {
  state: AlertState;
  version: string;
}

/** Where the rules of merchants stand. */
export interface AlertStateStore {
  /** `undefined` before the merchant's first check. */
  read(merchantCode: string): Promise<VersionedAlertState | undefined>;
  /**
   * Replaces that version; without one, creates the state unless there is one.
   *
   * @returns whether it was written: not when another writer has come between
   */
  write(merchantCode: string, state: AlertState, version: string | undefined): Promise<boolean>;
}
