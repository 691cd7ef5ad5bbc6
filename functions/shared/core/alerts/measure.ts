import type * as z from 'zod';
import type { Thousandths } from '../money.ts';
import type { Need, Readings } from './readings.ts';

/** What a measure's numbers are, for bounds and for printing. All are kept in thousandths of it. */
export type Unit = 'count' | 'percent' | 'amount' | 'hours';

/**
 * A figure that a rule can watch. Adding one is one file in `measures/` and its line in `measures/index.ts`.
 */
export interface Measure<Parameters> {
  name: string;
  unit: Unit;
  needs: readonly Need[];
  /** Whether it is a figure of one day, which begins anew at midnight. */
  ofDay: boolean;
  /** Members of a rule that belong to this measure alone. */
  parameters: z.ZodType<Parameters>;
  /** In thousandths of the unit, `null` when it cannot be known. */
  value: (readings: Readings, parameters: Parameters) => Thousandths | null;
}

/** A count in thousandths. */
export function thousandthsOf(count: number): Thousandths {
  return BigInt(count) * 1_000n;
}

/** A share in thousandths of a percent, rounded half up; `null` of nothing. */
export function shareOf(part: Thousandths, whole: Thousandths): Thousandths | null {
  if (whole <= 0n) return null;
  return (part * 200_000n + whole) / (whole * 2n);
}
