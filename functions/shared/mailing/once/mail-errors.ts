import { DaybookError } from '#domain/errors/daybook-error.ts';

/** The mail service certainly did not take a mail; another run tries those recipients again. */
export class MailRefusedError extends DaybookError {
  override readonly name = 'MailRefusedError';
}

/** Time ran out before every recipient was written to; another run goes on. */
export class MailUnfinishedError extends DaybookError {
  override readonly name = 'MailUnfinishedError';
}

/** The ledger has no room for another round; nobody was written to. */
export class LedgerFullError extends DaybookError {
  override readonly name = 'LedgerFullError';
}
