import { thousandthsOf, measureOf, NO_PARAMETERS } from '../measure.ts';

/** The number of the day's refunds. */
export const refundCount = measureOf({
  name: 'refundCount',
  unit: 'count',
  needs: ['refunds'],
  ofDay: true,
  parameters: NO_PARAMETERS,
  value: ({ refunds }) => thousandthsOf(refunds?.count),
  behind: ({ behind }) => behind.refunds,
});
