import type { MerchantDay } from '../merchants.ts';
import { checkThreeTimes } from './alert-checks.ts';
import type { AlertCheck } from './alert-checks.ts';
import { ledgerStatus, passOnDeliveries } from './mail-deliveries.ts';
import { missReport } from './missing-report.ts';
import type { Watch } from './missing-report.ts';
import type { Stage } from './stage.ts';

/** A check, and what the ledger of its mail says after all. */
export interface CheckRow extends AlertCheck {
  mailStatus: string | undefined;
}

export interface Demonstration {
  checks: CheckRow[];
  watch: Watch;
}

/**
 * Shows what comes beside the reports: an alert that fires, stays quiet and resolves, a report that is missed, and the
 * mails' arrival in their ledgers.
 *
 * @param own the day that the merchant of the demonstration is to be reported of
 * @param others those whose reports were made
 * @param now milliseconds UTC; what the tick is known by
 * @throws {FunctionFailure} when a function fails
 */
export async function demonstrate(
  stage: Stage,
  own: MerchantDay,
  others: readonly MerchantDay[],
  now: number,
): Promise<Demonstration> {
  const checks = await checkThreeTimes(stage, own.day);
  const watch = await missReport(stage, own, others, now);
  await passOnDeliveries(stage);
  const rows = checks.map(async (check) => ({
    ...check,
    mailStatus: check.mail && (await ledgerStatus(stage, check.mail.ledgerKey)),
  }));
  return { checks: await Promise.all(rows), watch };
}
