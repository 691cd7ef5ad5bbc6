import { probit } from 'simple-statistics';
import { seededRandom } from '#sandbox/payments/day/random.ts';

export interface DaySize {
  invoices: number;
  refunds: number;
}

/** The largest day, and how many of 10,000 merchants have about such a day. */
export const LARGEST_DAY = 100_000;

/*
 * Sizes of businesses are skewed: lognormal in the middle (Gibrat 1931), a power law at the top (Axtell 2001, "Zipf
 * Distribution of U.S. Firm Sizes"). That gives the shape. The numbers are chosen, not observed: most merchants have tens
 * of invoices, three of 10,000 have 100,000, and 10,000 have 1.3 million together.
 */
const WITHOUT_INVOICES = 0.06;
const MEDIAN = 25;
/** The standard deviation of the logarithm. */
const SPREAD = 1.2;
/** The share of merchants in the power law. */
const TOP = 0.01;
/** Rank to the power of minus this value. */
const TOP_SLOPE = 1.43;
const LARGEST_SHARE = 3e-4;
const REFUNDS_PERCENT = 2;

/** @param share of merchants that have as many or more */
function sizeInTop(share: number): number {
  return Math.round(LARGEST_DAY * Math.max(1, share / LARGEST_SHARE) ** -TOP_SLOPE);
}

/** The invoices of a merchant, by the share `place` (0 up to 1) of merchants that have fewer. */
export function invoicesAt(place: number): number {
  if (place < WITHOUT_INVOICES) return 0;
  if (place >= 1 - TOP) return sizeInTop(1 - place);
  const share = (place - WITHOUT_INVOICES) / (1 - WITHOUT_INVOICES - TOP);
  const middle = Math.max(1, Math.round(MEDIAN * Math.exp(SPREAD * probit(share))));
  return Math.min(middle, sizeInTop(TOP));
}

/** The golden ratio: multiples of it fill the distribution evenly, however many there are. */
const GOLDEN = (Math.sqrt(5) - 1) / 2;

/** The days of a fleet. The same seed gives the same days, and a smaller fleet has the first of them: a fair sample. */
export function fleetSizes(merchants: number, seed: string): DaySize[] {
  const start = seededRandom(`fleet ${seed}`).below(1_000_000) / 1_000_000;
  return Array.from({ length: merchants }, (_, index) => {
    const invoices = invoicesAt((start + index * GOLDEN) % 1);
    const hundredths = invoices * REFUNDS_PERCENT;
    const more = seededRandom(`refunds ${seed} ${index}`).chance(hundredths % 100) ? 1 : 0;
    return { invoices, refunds: Math.floor(hundredths / 100) + more };
  });
}
