import { DaybookError } from './daybook-error.ts';

/** The people who run Daybook had to be told of something, and every way to them failed; doing it again tells them. */
export class OpsNotToldError extends DaybookError {
  override readonly name = 'OpsNotToldError';
}
