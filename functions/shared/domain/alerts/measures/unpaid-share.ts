import { shareOf, thousandthsOf, measureOf, NO_PARAMETERS } from '../measure.ts';

/** Invoices of the day that are not paid, in percent of all of the day. */
export const unpaidShare = measureOf({
  name: 'unpaidShare',
  unit: 'percent',
  needs: ['counts'],
  ofDay: true,
  parameters: NO_PARAMETERS,
  value: ({ counts }) => shareOf(thousandthsOf(counts?.notPaid), thousandthsOf(counts?.total)),
});
