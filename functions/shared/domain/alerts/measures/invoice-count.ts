import { thousandthsOf, measureOf, NO_PARAMETERS } from '../measure.ts';

/** The number of the day's invoices. */
export const invoiceCount = measureOf({
  name: 'invoiceCount',
  unit: 'count',
  needs: ['counts'],
  ofDay: true,
  parameters: NO_PARAMETERS,
  value: ({ counts }) => thousandthsOf(counts?.total),
});
