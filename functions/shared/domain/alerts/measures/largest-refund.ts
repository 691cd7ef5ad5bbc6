import { measureOf, NO_PARAMETERS } from '../measure.ts';

/** The largest refund of the day, 0 when there is none. */
export const largestRefund = measureOf({
  name: 'largestRefund',
  unit: 'amount',
  needs: ['refunds'],
  ofDay: true,
  parameters: NO_PARAMETERS,
  value: ({ refunds }) => refunds?.largest ?? null,
  behind: ({ behind }) => behind.refunds,
});
