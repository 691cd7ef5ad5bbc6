import { addDays } from '#records/day/business-day.ts';
import type { Day } from '#records/day/business-day.ts';
import { INVOICE_STATES } from '#records/figures/figure-schemas.ts';
import type { InvoiceState } from '#records/figures/figure-schemas.ts';
import type { DayFigures } from '#records/figures/history.ts';
import type { Manifest } from '#records/revision/manifest.ts';
import { divided } from '#records/money/money.ts';

export type ComparedState = InvoiceState | 'total';

export interface Comparison {
  days: number;
  /** In tenths of an invoice. `null` when one of the two counts is unknown. */
  differences: Record<ComparedState, bigint | null>;
}

type Compared = Pick<DayFigures, 'counts'>;

const STATES = [...INVOICE_STATES, 'total'] as const;
const WEEK = 7;

function sum(values: readonly (bigint | null)[]): bigint | null {
  return values.reduce((total, value) => (total === null || value === null ? null : total + value), 0n);
}

function awayFromAverage(value: bigint | null, others: readonly (bigint | null)[]): bigint | null {
  const total = sum(others);
  if (value === null || total === null) return null;
  const count = BigInt(others.length);
  return divided((value * count - total) * 10n, count);
}

/** `null` when both know no common count. */
function compared(present: Compared, others: readonly Compared[]): Comparison | null {
  if (others.length === 0) return null;
  const count = (figures: Compared, state: ComparedState) => {
    const known = figures.counts[state];
    return known === null ? null : BigInt(known);
  };
  const differences = STATES.map((state) =>
    awayFromAverage(
      count(present, state),
      others.map((other) => count(other, state)),
    ),
  );
  if (differences.every((difference) => difference === null)) return null;
  const [paid = null, notPaid = null, cancelled = null, other = null, total = null] = differences;
  return { days: others.length, differences: { paid, notPaid, cancelled, other, total } };
}

/** The history of the given days, without days that did not balance: these cannot be compared with. */
function balancedOn(history: readonly DayFigures[], days: readonly Day[]): DayFigures[] {
  return history.filter(({ day, balanced }) => balanced && days.includes(day));
}

/** A sealed day compared with the day before, `null` when that day is not known to be right. */
export function againstDayBefore(manifest: Manifest, history: readonly DayFigures[]): Comparison | null {
  return compared(manifest, balancedOn(history, [addDays(manifest.day, -1)]));
}

/** Compares with the average of the same weekday in the four weeks before, as far as it is known. */
export function againstWeekday(manifest: Manifest, history: readonly DayFigures[]): Comparison | null {
  const weekdays = [1, 2, 3, 4].map((weeks) => addDays(manifest.day, -WEEK * weeks));
  return compared(manifest, balancedOn(history, weekdays));
}
