import { thousandthsOf, measureOf, NO_PARAMETERS } from '../measure.ts';

/** Invoices of the day that are not paid. */
export const unpaidCount = measureOf({
  name: 'unpaidCount',
  unit: 'count',
  needs: ['counts'],
  ofDay: true,
  parameters: NO_PARAMETERS,
  value: ({ counts }) => thousandthsOf(counts?.notPaid),
});
