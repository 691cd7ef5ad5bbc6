import type { MerchantDay } from '../merchants.ts';
import { checkThreeTimes } from './alert-checks.ts';
import type { AlertCheck } from './alert-checks.ts';
import { ledgerStatus, passOnDeliveries } from './mail-deliveries.ts';
import { missReport } from './missing-report.ts';
import type { Watch } from './missing-report.ts';
import { makeStatements } from './statements.ts';
import type { ShownPages } from './statements.ts';
import type { Stage } from './stage.ts';

/** A check, and the final state of its mail in the ledger. */
export interface CheckRow extends AlertCheck {
  mailStatus: string | undefined;
}

/** What went before: the merchants and days of the run, and the codes of those whose report was made. */
interface Reports {
  days: readonly MerchantDay[];
  reported: readonly string[];
}

export interface Demonstration {
  checks: CheckRow[];
  watch: Watch;
  pages: ShownPages;
}

/**
 * Shows what happens beside the reports: an alert that fires, stays quiet and resolves; a missing report; a statement of a
 * month and a group's page; and the events that record the delivery of the mails.
 *
 * @param own the day to report for the merchant of the demonstration
 * @param now milliseconds UTC; it identifies the tick
 * @throws {FunctionFailure} when a function fails
 */
export async function demonstrate(
  stage: Stage,
  own: MerchantDay,
  { days, reported }: Reports,
  now: number,
): Promise<Demonstration> {
  const checks = await checkThreeTimes(stage, own.day);
  const watch = await missReport(stage, own, days, now);
  // A merchant whose service is down has no month to tell of.
  const shown = days.find(({ merchant }) => reported.includes(merchant.account.merchantCode));
  const pages = await makeStatements(stage, shown, own.day, now);
  await passOnDeliveries(stage);
  const rows = checks.map(async (check) => ({
    ...check,
    mailStatus: check.mail && (await ledgerStatus(stage, check.mail.ledgerKey)),
  }));
  return { checks: await Promise.all(rows), watch, pages };
}
