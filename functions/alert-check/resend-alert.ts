import { InvalidEventError } from '#domain/errors/invalid-event.ts';
import { alertLedgerKey } from '#domain/storage/keys.ts';
import type { Run } from './alert-check-run.ts';
import { AFTER_MAIL } from './check-merchant.ts';
import type { CheckOutcome } from './check-merchant.ts';
import type { Dependencies } from './dependencies.ts';
import { mailCheck } from './mail-check.ts';

/**
 * Sends the mail of an earlier check again, as a new round of its ledger, to the recipients who do not have it. It names
 * no invoices and refunds: the ledger does not keep them. No rule is checked or moved.
 *
 * @throws {InvalidEventError} when there is no such mail, or its ledger does not keep what it said
 * @throws {MailRefusedError} when the mail service did not accept a mail
 * @throws {MailUnfinishedError} when time ran out
 */
export async function resendAlert(
  dependencies: Dependencies,
  { event, settings, end }: Run,
  check: string,
): Promise<CheckOutcome & { day: string }> {
  if (event.dryRun) throw new InvalidEventError('dryRun', 'cannot be given together with resend');
  const ledger = (await dependencies.ledgers.read(alertLedgerKey(settings.merchantCode, check)))?.ledger;
  if (ledger === undefined) throw new InvalidEventError('resend', 'is not the name of a check with a mail');
  if (ledger.says === undefined) {
    throw new InvalidEventError(
      'resend',
      'names a mail whose ledger does not keep what it said: an earlier version wrote it, or it was too long',
    );
  }
  const pending = { check, ...ledger.says };
  const mail = await mailCheck(dependencies, { settings, pending, deadline: end - AFTER_MAIL, resend: true });
  return { transitions: [], noData: [], mail, ignored: null, day: ledger.says.day };
}
