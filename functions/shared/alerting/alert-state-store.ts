import type { AlertState } from '#domain/alerts/alert-state.ts';

export interface VersionedAlertState {
  state: AlertState;
  version: string;
}

export interface AlertStateStore {
  /** `undefined` before the merchant's first check. */
  read(merchantCode: string): Promise<VersionedAlertState | undefined>;
  /** Creates it without a version. `false` when another writer was faster. */
  write(merchantCode: string, state: AlertState, version: string | undefined): Promise<boolean>;
}
