import { DaybookError } from './daybook-error.ts';

/** Ops had to be notified, and every way to them failed. Trying again notifies them. */
export class OpsNotToldError extends DaybookError {
  override readonly name = 'OpsNotToldError';
}
