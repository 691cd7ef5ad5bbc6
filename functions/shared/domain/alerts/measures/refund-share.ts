import { shareOf, measureOf, NO_PARAMETERS } from '../measure.ts';

/** What the refunds of the day come to, in percent of what its paid invoices come to. */
export const refundShare = measureOf({
  name: 'refundShare',
  unit: 'percent',
  needs: ['refunds', 'amounts'],
  ofDay: true,
  parameters: NO_PARAMETERS,
  value: ({ refunds, amounts }) => shareOf(refunds?.total, amounts?.paid),
});
