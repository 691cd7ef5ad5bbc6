import { sandboxMerchant } from '#sandbox/payments/index.ts';
import type { SandboxMerchant } from '#sandbox/payments/index.ts';
import { addDays, dayAt } from '#records/day/business-day.ts';
import { UsageError } from './terminal/usage-error.ts';

/** A rule as the registry has it (docs/alerts.md). */
export interface AlertRule {
  name: string;
  measure: string;
  above: number;
  clearAt: number;
  severity: 'info' | 'warning' | 'critical';
}

/** A merchant of the local run: an account of the payments sandbox and how Daybook reports it. */
export interface LocalMerchant {
  account: SandboxMerchant;
  language: 'en' | 'ar';
  timeZone: string;
  recipient: string;
  attachCsv: boolean;
  attachXlsx: boolean;
  alerts: readonly AlertRule[];
}

/** A merchant and the day to report. `day` is `YYYY-MM-DD`. */
export interface MerchantDay {
  merchant: LocalMerchant;
  day: string;
}

/** The same index always gives the same merchant, as in the sandbox. */
export function localMerchant(index: number): LocalMerchant {
  const account = sandboxMerchant(index);
  return {
    account,
    // The sandbox gives every third merchant an Arabic name.
    language: index % 3 === 2 ? 'ar' : 'en',
    timeZone: index % 3 === 1 ? 'Asia/Dubai' : 'Asia/Kuwait',
    recipient: `owner-${account.merchantCode}@example.com`,
    attachCsv: index % 3 === 1,
    attachXlsx: index % 3 === 2,
    alerts: [],
  };
}

/** Far above the numbers that `--merchants` allows. */
const NEW_INDEX = 902;

/** A merchant that the service knows and Daybook does not: for `daybook merchant add`. */
export const NEW_MERCHANT: LocalMerchant = localMerchant(NEW_INDEX);

/** The first merchants, up to this number; the same ones in every run. */
export function localMerchants(count: number): LocalMerchant[] {
  return Array.from({ length: count }, (_, index) => localMerchant(index));
}

/**
 * The day to report for a merchant.
 *
 * @param day `undefined` for yesterday in the merchant's zone
 * @param now milliseconds UTC
 * @throws {UsageError} when the day has not begun in the merchant's zone
 */
export function merchantDay(merchant: LocalMerchant, day: string | undefined, now: number): MerchantDay {
  const today = dayAt(now, merchant.timeZone);
  if (day !== undefined && day > today) {
    throw new UsageError(`--day ${day} has not begun yet in ${merchant.timeZone}, where it is ${today}`);
  }
  return { merchant, day: day ?? addDays(today, -1) };
}
