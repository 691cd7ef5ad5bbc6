import { shareOf, thousandthsOf, measureOf, NO_PARAMETERS } from '../measure.ts';

/** Invoices of the day that were cancelled, in percent of all of the day. */
export const cancelledShare = measureOf({
  name: 'cancelledShare',
  unit: 'percent',
  needs: ['counts'],
  ofDay: true,
  parameters: NO_PARAMETERS,
  value: ({ counts }) => shareOf(thousandthsOf(counts?.cancelled), thousandthsOf(counts?.total)),
});
