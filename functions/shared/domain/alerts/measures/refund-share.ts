import { shareOf, measureOf, NO_PARAMETERS } from '../measure.ts';

/** The sum of the day's refunds, in percent of the sum of its paid invoices. */
export const refundShare = measureOf({
  name: 'refundShare',
  unit: 'percent',
  needs: ['refunds', 'amounts'],
  ofDay: true,
  parameters: NO_PARAMETERS,
  value: ({ refunds, amounts }) => shareOf(refunds?.total, amounts?.paid),
  behind: ({ behind }) => behind.refunds,
});
