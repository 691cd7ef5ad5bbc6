import { thousandthsOf, measureOf, NO_PARAMETERS } from '../measure.ts';

/** Refunds of the day. */
export const refundCount = measureOf({
  name: 'refundCount',
  unit: 'count',
  needs: ['refunds'],
  ofDay: true,
  parameters: NO_PARAMETERS,
  value: ({ refunds }) => thousandthsOf(refunds?.count),
});
