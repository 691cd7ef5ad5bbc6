import { measureOf, NO_PARAMETERS } from '../measure.ts';

/** What the invoices of the day that are not paid come to. */
export const unpaidAmount = measureOf({
  name: 'unpaidAmount',
  unit: 'amount',
  needs: ['amounts'],
  ofDay: true,
  parameters: NO_PARAMETERS,
  value: ({ amounts }) => amounts?.unpaid ?? null,
});
