import * as z from 'zod';
import { addDays } from '#domain/day/business-day.ts';
import { measureOf, thousandthsOf } from '../measure.ts';

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
  value: ({ expiring, today }, { withinDays, createdWithinDays }) => {
    const createdFrom = addDays(today, -createdWithinDays);
    const expiresUntil = addDays(today, withinDays);
    return thousandthsOf(
      expiring?.filter(
        ({ createdOn, expiresOn }) =>
          createdOn >= createdFrom && createdOn <= today && expiresOn >= today && expiresOn <= expiresUntil,
      ).length,
    );
  },
});
