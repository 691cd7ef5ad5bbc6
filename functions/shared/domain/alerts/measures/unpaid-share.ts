import { shareOf, thousandthsOf, measureOf, NO_PARAMETERS } from '../measure.ts';

/** The share of the day's invoices that are unpaid, in percent. */
export const unpaidShare = measureOf({
  name: 'unpaidShare',
  unit: 'percent',
  needs: ['counts'],
  ofDay: true,
  parameters: NO_PARAMETERS,
  value: ({ counts }) => shareOf(thousandthsOf(counts?.notPaid), thousandthsOf(counts?.total)),
  behind: ({ behind }) => behind.unpaid,
});
