import type { Measure } from '../measure.ts';
import { thousandthsOf, measureOf, NO_PARAMETERS, shareOf } from '../measure.ts';
import * as z from 'zod';
import { addDays } from '#domain/day/business-day.ts';
import { byExpiry, MOST_ITEMS } from '../behind.ts';
import type { ExpiringInvoice } from '../readings.ts';

/** The share of the day's invoices that are unpaid, in percent. */
const unpaidShare = measureOf({
  name: 'unpaidShare',
  unit: 'percent',
  needs: ['counts'],
  ofDay: true,
  parameters: NO_PARAMETERS,
  value: ({ counts }) => shareOf(thousandthsOf(counts?.notPaid), thousandthsOf(counts?.total)),
  behind: ({ behind }) => behind.unpaid,
});

/** The number of the day's unpaid invoices. */
const unpaidCount = measureOf({
  name: 'unpaidCount',
  unit: 'count',
  needs: ['counts'],
  ofDay: true,
  parameters: NO_PARAMETERS,
  value: ({ counts }) => thousandthsOf(counts?.notPaid),
  behind: ({ behind }) => behind.unpaid,
});

/** The sum of the day's unpaid invoices. */
const unpaidAmount = measureOf({
  name: 'unpaidAmount',
  unit: 'amount',
  needs: ['amounts'],
  ofDay: true,
  parameters: NO_PARAMETERS,
  value: ({ amounts }) => amounts?.unpaid ?? null,
  behind: ({ behind }) => behind.unpaid,
});

/** Milliseconds in a thousandth of an hour. */
const MILLISECONDS = 3_600n;

/** Hours since the newest sealed day was pulled, cut to thousandths. Changes of the clock do not matter. */
const reportAge = measureOf({
  name: 'reportAge',
  unit: 'hours',
  needs: ['lastSealed'],
  ofDay: false,
  parameters: NO_PARAMETERS,
  value: ({ now, lastSealedAt }) =>
    lastSealedAt === null ? null : BigInt(Math.max(0, now - lastSealedAt)) / MILLISECONDS,
});

/** The sum of the day's refunds, over all statuses. */
const refundTotal = measureOf({
  name: 'refundTotal',
  unit: 'amount',
  needs: ['refunds'],
  ofDay: true,
  parameters: NO_PARAMETERS,
  value: ({ refunds }) => refunds?.total ?? null,
  behind: ({ behind }) => behind.refunds,
});

/** The sum of the day's refunds, in percent of the sum of its paid invoices. */
const refundShare = measureOf({
  name: 'refundShare',
  unit: 'percent',
  needs: ['refunds', 'amounts'],
  ofDay: true,
  parameters: NO_PARAMETERS,
  value: ({ refunds, amounts }) => shareOf(refunds?.total, amounts?.paid),
  behind: ({ behind }) => behind.refunds,
});

/** The number of the day's refunds. */
const refundCount = measureOf({
  name: 'refundCount',
  unit: 'count',
  needs: ['refunds'],
  ofDay: true,
  parameters: NO_PARAMETERS,
  value: ({ refunds }) => thousandthsOf(refunds?.count),
  behind: ({ behind }) => behind.refunds,
});

/** The largest refund of the day, 0 when there is none. */
const largestRefund = measureOf({
  name: 'largestRefund',
  unit: 'amount',
  needs: ['refunds'],
  ofDay: true,
  parameters: NO_PARAMETERS,
  value: ({ refunds }) => refunds?.largest ?? null,
  behind: ({ behind }) => behind.refunds,
});

/** The number of the day's invoices. */
const invoiceCount = measureOf({
  name: 'invoiceCount',
  unit: 'count',
  needs: ['counts'],
  ofDay: true,
  parameters: NO_PARAMETERS,
  value: ({ counts }) => thousandthsOf(counts?.total),
});

/** Whether an invoice counts, by the dates of its creation and its expiry. */
function isWithin(
  today: string,
  { withinDays, createdWithinDays }: { withinDays: number; createdWithinDays: number },
): (invoice: ExpiringInvoice) => boolean {
  const createdFrom = addDays(today, -createdWithinDays);
  const expiresUntil = addDays(today, withinDays);
  return ({ createdOn, expiresOn }) =>
    createdOn >= createdFrom && createdOn <= today && expiresOn >= today && expiresOn <= expiresUntil;
}

/**
 * The number of unpaid invoices that expire today or within the next `withinDays` days, and were created
 * today or within the last `createdWithinDays` days. Days are dates of the merchant's calendar, whatever
 * their length.
 */
const expiringUnpaid = measureOf({
  name: 'expiringUnpaid',
  unit: 'count',
  needs: ['expiring'],
  ofDay: false,
  parameters: () =>
    z.object({
      withinDays: z.int().min(0).max(366),
      createdWithinDays: z.int().min(1).max(366).default(30),
    }),
  sealedDaysBack: ({ createdWithinDays }) => createdWithinDays,
  days: ({ withinDays }) => withinDays,
  value: ({ expiring, today }, parameters) =>
    thousandthsOf(expiring?.filter(isWithin(today, parameters)).length),
  behind: ({ behind, today }, parameters) => {
    const soonest = behind.expiring.filter(isWithin(today, parameters)).sort(byExpiry);
    return soonest.slice(0, MOST_ITEMS).map(({ createdOn: _createdOn, ...item }) => item);
  },
});

/** The share of the day's invoices that were cancelled, in percent. */
const cancelledShare = measureOf({
  name: 'cancelledShare',
  unit: 'percent',
  needs: ['counts'],
  ofDay: true,
  parameters: NO_PARAMETERS,
  value: ({ counts }) => shareOf(thousandthsOf(counts?.cancelled), thousandthsOf(counts?.total)),
  behind: ({ behind }) => behind.cancelled,
});

/** The number of the day's cancelled invoices. */
const cancelledCount = measureOf({
  name: 'cancelledCount',
  unit: 'count',
  needs: ['counts'],
  ofDay: true,
  parameters: NO_PARAMETERS,
  value: ({ counts }) => thousandthsOf(counts?.cancelled),
  behind: ({ behind }) => behind.cancelled,
});

/** Every figure that a rule can watch. */
export const MEASURES: readonly Measure[] = [
  invoiceCount,
  unpaidCount,
  unpaidShare,
  unpaidAmount,
  cancelledCount,
  cancelledShare,
  refundCount,
  refundTotal,
  refundShare,
  largestRefund,
  expiringUnpaid,
  reportAge,
];
