import { measureOf, NO_PARAMETERS } from '../measure.ts';

/** The sum of the day's refunds, over all statuses. */
export const refundTotal = measureOf({
  name: 'refundTotal',
  unit: 'amount',
  needs: ['refunds'],
  ofDay: true,
  parameters: NO_PARAMETERS,
  value: ({ refunds }) => refunds?.total ?? null,
  behind: ({ behind }) => behind.refunds,
});
