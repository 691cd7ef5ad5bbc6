import { thousandthsOf, measureOf, NO_PARAMETERS } from '../measure.ts';

/** The number of the day's unpaid invoices. */
export const unpaidCount = measureOf({
  name: 'unpaidCount',
  unit: 'count',
  needs: ['counts'],
  ofDay: true,
  parameters: NO_PARAMETERS,
  value: ({ counts }) => thousandthsOf(counts?.notPaid),
  behind: ({ behind }) => behind.unpaid,
});
