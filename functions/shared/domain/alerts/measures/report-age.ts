import { measureOf, NO_PARAMETERS } from '../measure.ts';

/** Milliseconds in a thousandth of an hour. */
const MILLISECONDS = 3_600n;

/** Hours since the newest sealed day was pulled, cut to thousandths. Changes of the clock do not matter. */
export const reportAge = measureOf({
  name: 'reportAge',
  unit: 'hours',
  needs: ['lastSealed'],
  ofDay: false,
  parameters: NO_PARAMETERS,
  value: ({ now, lastSealedAt }) =>
    lastSealedAt === null ? null : BigInt(Math.max(0, now - lastSealedAt)) / MILLISECONDS,
});
