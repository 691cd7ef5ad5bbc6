import { measureOf, NO_PARAMETERS } from '../measure.ts';

/** The sum of the day's unpaid invoices. */
export const unpaidAmount = measureOf({
  name: 'unpaidAmount',
  unit: 'amount',
  needs: ['amounts'],
  ofDay: true,
  parameters: NO_PARAMETERS,
  value: ({ amounts }) => amounts?.unpaid ?? null,
  behind: ({ behind }) => behind.unpaid,
});
