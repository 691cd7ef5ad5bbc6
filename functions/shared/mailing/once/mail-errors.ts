import { DaybookError } from '#domain/errors/daybook-error.ts';

/** Certainly not accepted. Another run tries those recipients again. */
export class MailRefusedError extends DaybookError {
  override readonly name = 'MailRefusedError';
}

/** Another run continues. */
export class MailUnfinishedError extends DaybookError {
  override readonly name = 'MailUnfinishedError';
}

/** The ledger has no room for another round. No mail was sent. */
export class LedgerFullError extends DaybookError {
  override readonly name = 'LedgerFullError';
}
