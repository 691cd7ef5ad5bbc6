import type { Context } from 'aws-lambda';
import { rejectionsOf, shownPath } from '#registry/problem.ts';
import type { Rejection } from '#registry/problem.ts';
import { prepareRun } from './alert-check-run.ts';
import type { Run } from './alert-check-run.ts';
import { checkMerchant, AFTER_MAIL } from './check-merchant.ts';
import type { CheckOutcome, DryRunFindings } from './check-merchant.ts';
import type { Dependencies } from './dependencies.ts';
import { InvalidEventError } from '#records/errors/invalid-event.ts';
import { alertLedgerKey } from '#records/storage/keys.ts';
import { mailCheck } from './mail-check.ts';

/**
 * Sends a mail again to recipients who do not have it, as a new round, without invoices and refunds, which
 * the ledger does not keep.
 * @throws {InvalidEventError} when there is no such mail, or its ledger does not keep what it said
 * @throws {MailRefusedError} when the mail service did not accept a mail
 * @throws {MailUnfinishedError} when time ran out
 */
async function resendAlert(
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

export interface AlertCheckAnswer extends Omit<CheckOutcome, 'found'>, Partial<DryRunFindings> {
  merchantCode: string;
  day: string;
  /** Its own mail, or the pending one of an earlier check. */
  mailed: boolean;
  /** By path in the merchant's entry; 100 at most. */
  rejected: Rejection[];
}

export type AlertCheck = (event: unknown, context?: Context) => Promise<AlertCheckAnswer>;

const MOST_LISTED = 100;

/** `plan` notifies ops of bad rules, once for all merchants: one in `defaults` belongs to every merchant. */
function logBadRules({ telemetry }: Dependencies, { leftOut, unknown }: Run, rejected: Rejection[]): void {
  telemetry.count('RejectedRules', leftOut);
  if (rejected.length > 0) telemetry.logger.warn('rules are left out', { rejected });
  if (unknown.length > 0) {
    const paths = unknown.slice(0, MOST_LISTED).map(({ at }) => shownPath(at));
    telemetry.logger.warn('rules have members that are not known here', { count: unknown.length, paths });
  }
}

function countOutcome({ telemetry }: Dependencies, { transitions, noData, mail }: CheckOutcome): void {
  telemetry.count('RulesMoved', transitions.length);
  telemetry.count('RulesWithoutData', noData.length);
  if (mail?.status === 'sent') telemetry.count('MailsSent', mail.messageIds.length);
  if (mail?.status === 'held') telemetry.count('MailsHeld', 1);
}

/** Builds `alert-check` (docs/interfaces.md, 4.3 alert-check). */
export function createAlertCheck(dependencies: Dependencies): AlertCheck {
  const { telemetry } = dependencies;
  return (input, context) =>
    telemetry.during(context, async () => {
      const run = await prepareRun(dependencies, input, context);
      const { event, settings, problems } = run;
      const rejected = rejectionsOf(problems, null, ['alerts'], MOST_LISTED);
      const { merchantCode } = settings;
      telemetry.about({ merchantCode, day: run.day });
      logBadRules(dependencies, run, rejected);
      const { found, day, ...outcome } =
        typeof event.resend === 'string'
          ? { found: undefined, ...(await resendAlert(dependencies, run, event.resend)) }
          : { day: run.day, found: undefined, ...(await checkMerchant(dependencies, run)) };
      countOutcome(dependencies, outcome);
      const mailed = outcome.mail?.status === 'sent';
      telemetry.logger.info('checked', { ...outcome, day, mail: outcome.mail?.status ?? null });
      return { merchantCode, day, ...outcome, ...found, mailed, rejected };
    });
}
