import { addDays } from '#domain/day/business-day.ts';
import { historyKey } from '#domain/storage/keys.ts';
import type { DaySize } from './sizes.ts';

/** As many days as a merchant's history has. */
const DAYS = 60;

/**
 * What a daily reported merchant has in the bucket before the next report. Without it a report would look for the manifests
 * of ten weeks, which happens once in a merchant's life, and that would be measured instead.
 */
export function historyObject(
  merchantCode: string,
  day: string,
  { invoices, refunds }: DaySize,
): { key: string; text: string } {
  const paid = Math.floor(invoices * 0.7);
  const days = Array.from({ length: DAYS }, (_, back) => ({
    day: addDays(day, -1 - back),
    revision: 1,
    balanced: true,
    counts: { total: invoices, paid, notPaid: invoices - paid, cancelled: 0, other: 0 },
    amounts: { paid: `${paid}.000`, notPaid: `${invoices - paid}.000`, cancelled: '0.000', other: '0.000' },
    refunds: { count: refunds, total: `${refunds}.000` },
  }));
  return { key: historyKey(merchantCode), text: JSON.stringify({ merchantCode, days }) };
}
