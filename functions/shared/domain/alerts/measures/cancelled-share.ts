import { shareOf, thousandthsOf, measureOf, NO_PARAMETERS } from '../measure.ts';

/** The share of the day's invoices that were cancelled, in percent. */
export const cancelledShare = measureOf({
  name: 'cancelledShare',
  unit: 'percent',
  needs: ['counts'],
  ofDay: true,
  parameters: NO_PARAMETERS,
  value: ({ counts }) => shareOf(thousandthsOf(counts?.cancelled), thousandthsOf(counts?.total)),
  behind: ({ behind }) => behind.cancelled,
});
