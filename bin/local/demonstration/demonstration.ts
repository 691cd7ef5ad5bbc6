import type { MerchantDay } from '../merchants.ts';
import type { Stage } from '../services.ts';
import { checkThreeTimes } from './alert-checks.ts';
import { passOnDeliveries } from './mail-deliveries.ts';
import { missReport } from './missing-report.ts';
import { makeStatements } from './statements.ts';

/** What went before: the merchants and days of the run, and the codes of those whose report was made. */
interface Reports {
  days: readonly MerchantDay[];
  reported: readonly string[];
}

/**
 * Shows what happens beside the reports, in steps: an alert that fires, stays quiet and resolves; a missing report; a statement
 * of a month and a group's page; and the events that record the delivery of the mails.
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
): Promise<void> {
  await checkThreeTimes(stage, own.day);
  await missReport(stage, own, days, now);
  // A merchant whose service is down has no month to tell of.
  const shown = days.find(({ merchant }) => reported.includes(merchant.account.merchantCode));
  await makeStatements(stage, shown, own.day, now);
  await passOnDeliveries(stage);
}
