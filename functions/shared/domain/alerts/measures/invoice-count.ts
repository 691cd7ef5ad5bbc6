import { thousandthsOf, measureOf, NO_PARAMETERS } from '../measure.ts';

/** Invoices of the day. */
export const invoiceCount = measureOf({
  name: 'invoiceCount',
  unit: 'count',
  needs: ['counts'],
  ofDay: true,
  parameters: NO_PARAMETERS,
  value: ({ counts }) => thousandthsOf(counts?.total),
});
