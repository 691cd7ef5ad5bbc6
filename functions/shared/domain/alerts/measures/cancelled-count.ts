import { thousandthsOf, measureOf, NO_PARAMETERS } from '../measure.ts';

/** The number of the day's cancelled invoices. */
export const cancelledCount = measureOf({
  name: 'cancelledCount',
  unit: 'count',
  needs: ['counts'],
  ofDay: true,
  parameters: NO_PARAMETERS,
  value: ({ counts }) => thousandthsOf(counts?.cancelled),
  behind: ({ behind }) => behind.cancelled,
});
