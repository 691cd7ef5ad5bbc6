import { measureOf, NO_PARAMETERS } from '../measure.ts';

/** What the refunds of the day come to, over all statuses. */
export const refundTotal = measureOf({
  name: 'refundTotal',
  unit: 'amount',
  needs: ['refunds'],
  ofDay: true,
  parameters: NO_PARAMETERS,
  value: ({ refunds }) => refunds?.total ?? null,
});
