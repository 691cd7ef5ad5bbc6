import * as z from 'zod';
import { addDays } from '#domain/day/business-day.ts';
import { byExpiry, MOST_ITEMS } from '../behind.ts';
import { measureOf, thousandthsOf } from '../measure.ts';
import type { ExpiringInvoice } from '../readings.ts';

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
export const expiringUnpaid = measureOf({
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
