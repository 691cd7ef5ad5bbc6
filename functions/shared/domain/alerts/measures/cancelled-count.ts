import { thousandthsOf, measureOf, NO_PARAMETERS } from '../measure.ts';

/** Invoices of the day that were cancelled. */
export const cancelledCount = measureOf({
  name: 'cancelledCount',
  unit: 'count',
  needs: ['counts'],
  ofDay: true,
  parameters: NO_PARAMETERS,
  value: ({ counts }) => thousandthsOf(counts?.cancelled),
});
