import { DaybookError } from '#records/errors/daybook-error.ts';

/** A mail was certainly not accepted. Another run tries those recipients again. */
export class MailRefusedError extends DaybookError {
  override readonly name = 'MailRefusedError';
}

/** Time ran out before every recipient was written to. Another run continues. */
export class MailUnfinishedError extends DaybookError {
  override readonly name = 'MailUnfinishedError';
}

/** The ledger has no room for another round. No mail was sent. */
export class LedgerFullError extends DaybookError {
  override readonly name = 'LedgerFullError';
}
