import { DaybookError } from '../shared/core/daybook-error.ts';

/** The mail service certainly did not take a mail; another run tries those recipients again. */
export class MailRefusedError extends DaybookError {
  override readonly name = 'MailRefusedError';
}

/** Time ran out before every recipient was written to; another run goes on. */
export class MailUnfinishedError extends DaybookError {
  override readonly name = 'MailUnfinishedError';
}

/** A preview was asked for an address outside the domains of the registry, the sender and ops. */
export class PreviewAddressError extends DaybookError {
  override readonly name = 'PreviewAddressError';
}

/** A revision was to be sent again, and the day has none. */
export class NothingSealedError extends DaybookError {
  override readonly name = 'NothingSealedError';
}
