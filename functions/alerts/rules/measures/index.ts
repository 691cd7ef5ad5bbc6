import type { Measure } from '../measure.ts';
import { thousandthsOf, measureOf, NO_PARAMETERS, shareOf } from '../measure.ts';
import * as z from 'zod';
import { addDays } from '#records/day/business-day.ts';
import { byExpiry, MOST_ITEMS } from '../behind.ts';
import type { ExpiringInvoice } from '../readings.ts';

const unpaidShare = measureOf({
  name: 'unpaidShare',
  unit: 'percent',
  needs: ['counts'],
  ofDay: true,
  parameters: NO_PARAMETERS,
  value: ({ counts }) => shareOf(thousandthsOf(counts?.notPaid), thousandthsOf(counts?.total)),
  behind: ({ behind }) => behind.unpaid,
});

const unpaidCount = measureOf({
  name: 'unpaidCount',
  unit: 'count',
  needs: ['counts'],
  ofDay: true,
  parameters: NO_PARAMETERS,
  value: ({ counts }) => thousandthsOf(counts?.notPaid),
  behind: ({ behind }) => behind.unpaid,
});

const unpaidAmount = measureOf({
  name: 'unpaidAmount',
  unit: 'amount',
  needs: ['amounts'],
  ofDay: true,
  parameters: NO_PARAMETERS,
  value: ({ amounts }) => amounts?.unpaid ?? null,
  behind: ({ behind }) => behind.unpaid,
});

const MILLISECONDS = 3_600n;

/** Hours, cut to thousandths. Changes of the clock do not matter. */
const reportAge = measureOf({
  name: 'reportAge',
  unit: 'hours',
  needs: ['lastSealed'],
  ofDay: false,
  parameters: NO_PARAMETERS,
  value: ({ now, lastSealedAt }) =>
    lastSealedAt === null ? null : BigInt(Math.max(0, now - lastSealedAt)) / MILLISECONDS,
});

const refundTotal = measureOf({
  name: 'refundTotal',
  unit: 'amount',
  needs: ['refunds'],
  ofDay: true,
  parameters: NO_PARAMETERS,
  value: ({ refunds }) => refunds?.total ?? null,
  behind: ({ behind }) => behind.refunds,
});

/** In percent of the sum of the day's paid invoices. */
const refundShare = measureOf({
  name: 'refundShare',
  unit: 'percent',
  needs: ['refunds', 'amounts'],
  ofDay: true,
  parameters: NO_PARAMETERS,
  value: ({ refunds, amounts }) => shareOf(refunds?.total, amounts?.paid),
  behind: ({ behind }) => behind.refunds,
});

const refundCount = measureOf({
  name: 'refundCount',
  unit: 'count',
  needs: ['refunds'],
  ofDay: true,
  parameters: NO_PARAMETERS,
  value: ({ refunds }) => thousandthsOf(refunds?.count),
  behind: ({ behind }) => behind.refunds,
});

const largestRefund = measureOf({
  name: 'largestRefund',
  unit: 'amount',
  needs: ['refunds'],
  ofDay: true,
  parameters: NO_PARAMETERS,
  value: ({ refunds }) => refunds?.largest ?? null,
  behind: ({ behind }) => behind.refunds,
});

const invoiceCount = measureOf({
  name: 'invoiceCount',
  unit: 'count',
  needs: ['counts'],
  ofDay: true,
  parameters: NO_PARAMETERS,
  value: ({ counts }) => thousandthsOf(counts?.total),
});

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
 * Unpaid invoices that expire within `withinDays` and were created within `createdWithinDays`, today
 * included.
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

const cancelledShare = measureOf({
  name: 'cancelledShare',
  unit: 'percent',
  needs: ['counts'],
  ofDay: true,
  parameters: NO_PARAMETERS,
  value: ({ counts }) => shareOf(thousandthsOf(counts?.cancelled), thousandthsOf(counts?.total)),
  behind: ({ behind }) => behind.cancelled,
});

const cancelledCount = measureOf({
  name: 'cancelledCount',
  unit: 'count',
  needs: ['counts'],
  ofDay: true,
  parameters: NO_PARAMETERS,
  value: ({ counts }) => thousandthsOf(counts?.cancelled),
  behind: ({ behind }) => behind.cancelled,
});

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
