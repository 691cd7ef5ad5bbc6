import { seededRandom } from '#sandbox/payments/day/random.ts';
import type { Random } from '#sandbox/payments/day/random.ts';

/** The size of one merchant's day. */
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

/** The value of the standard normal distribution for this share (Acklam's rational approximation). */
function normalQuantile(share: number): number {
  const low = 0.02425;
  if (share > 1 - low) return -normalQuantile(1 - share);
  if (share < low) {
    const q = Math.sqrt(-2 * Math.log(share));
    return (
      (((((-7.784894002430293e-3 * q - 0.3223964580411365) * q - 2.400758277161838) * q - 2.549732539343734) *
        q +
        4.374664141464968) *
        q +
        2.938163982698783) /
      ((((7.784695709041462e-3 * q + 0.3224671290700398) * q + 2.445134137142996) * q + 3.754408661907416) *
        q +
        1)
    );
  }
  const q = share - 0.5;
  const r = q * q;
  return (
    ((((((-39.69683028665376 * r + 220.9460984245205) * r - 275.9285104469687) * r + 138.357751867269) * r -
      30.66479806614716) *
      r +
      2.506628277459239) *
      q) /
    (((((-54.47609879822406 * r + 161.5858368580409) * r - 155.6989798598866) * r + 66.80131188771972) * r -
      13.28068155288572) *
      r +
      1)
  );
}

/** The invoices of a merchant, by the share `place` (0 up to 1) of merchants that have fewer. */
export function invoicesAt(place: number): number {
  if (place < WITHOUT_INVOICES) return 0;
  const fromTop = 1 - place;
  if (fromTop <= TOP) {
    return Math.round(LARGEST_DAY * Math.max(1, fromTop / LARGEST_SHARE) ** -TOP_SLOPE);
  }
  const share = (place - WITHOUT_INVOICES) / (1 - WITHOUT_INVOICES - TOP);
  return Math.max(1, Math.round(MEDIAN * Math.exp(SPREAD * normalQuantile(share))));
}

function shuffled(random: Random): number[] {
  const digits = Array.from({ length: 10 }, (_, digit) => digit);
  for (let last = 9; last > 0; last -= 1) {
    const other = random.below(last + 1);
    [digits[last], digits[other]] = [digits[other] ?? 0, digits[last] ?? 0];
  }
  return digits;
}

const DIGITS = 4;

/**
 * A place in the distribution for each merchant. A block of a hundred merchants begins at a multiple of a hundred. Each merchant
 * of a block has a different hundredth of the distribution. Blocks of ten, 1,000 and 10,000 work in the same way. So a small fleet
 * is the beginning of a larger one and still a fair sample. (This is a van der Corput sequence to base ten, whose digits the seed
 * shuffles in Owen's way.)
 */
function placeOf(index: number, seed: string, orders: Map<string, number[]>): number {
  let place = 0;
  let before = '';
  for (let digit = 0, rest = index; digit < DIGITS; digit += 1, rest = Math.floor(rest / 10)) {
    const order = orders.get(before) ?? shuffled(seededRandom(`fleet ${seed} ${before}`));
    orders.set(before, order);
    const drawn = order[rest % 10] ?? 0;
    before += String(drawn);
    place += drawn * 10 ** -(digit + 1);
  }
  const within = (seededRandom(`place ${seed} ${index}`).below(1_000) + 0.5) / 1_000;
  return place + within * 10 ** -DIGITS;
}

/** The days of a fleet. The same seed gives the same days, and a smaller fleet has the first of them. */
export function fleetSizes(merchants: number, seed: string): DaySize[] {
  const orders = new Map<string, number[]>();
  return Array.from({ length: merchants }, (_, index) => {
    const invoices = invoicesAt(placeOf(index, seed, orders));
    const hundredths = invoices * REFUNDS_PERCENT;
    const more = seededRandom(`refunds ${seed} ${index}`).chance(hundredths % 100) ? 1 : 0;
    return { invoices, refunds: Math.floor(hundredths / 100) + more };
  });
}
