import { likeDays } from '../day/occasions.ts';
import type { Occasion } from '../day/occasions.ts';
import type { Day } from '../day/business-day.ts';
import { isSameJson } from '../json/same-json.ts';
import { divided, parseSum } from '../money/money.ts';
import type { Thousandths } from '../money/money.ts';
import { firstReadingOf, readingOf } from './history.ts';
import type { DayFigures, FirstReading } from './history.ts';

/** A sealed day, with what was known of the days before it. */
export interface ComparedDay extends Omit<FirstReading, 'received'>, Partial<Pick<FirstReading, 'received'>> {
  day: Day;
  revision: number;
  first?: FirstReading | null | undefined;
  /** The days before, as known when it was sealed. */
  history: readonly DayFigures[];
}

interface Terms {
  /** The merchant's, IANA name. */
  timeZone: string;
  /** Of the page, as it was sealed. */
  currency: string;
}

export interface Like {
  /** Newest first. Empty when there is nothing to compare with. */
  days: { day: Day; reading: FirstReading }[];
  /** Whether they are the same weekday of the four weeks before, or a day of the year before. */
  isUsual: boolean;
  /** Why there may be none: the day, or those before it, are of them. */
  occasions: Occasion[];
  /** Whether such days are known, but not their first readings. */
  isUnknown: boolean;
}

/**
 * The first readings of the days that a day is like: right ones, of its currency. `null` for a later revision that says
 * something else than the day's own first reading.
 */
export function likeOf(page: ComparedDay, { timeZone, currency }: Terms): Like | null {
  if (!isSameJson(firstReadingOf(page), readingOf(page))) return null;
  const like = likeDays(page.day, timeZone);
  const known = page.history.filter(
    (one) => like.days.includes(one.day) && (one.currency ?? currency) === currency,
  );
  const days = known.flatMap(({ day, first }: DayFigures) =>
    first?.balanced === true ? [{ day, reading: first }] : [],
  );
  const isUnknown = days.length === 0 && known.some(({ first = null }) => first === null);
  return { days, isUsual: like.isUsual, occasions: like.occasions, isUnknown };
}

/** Rounded half away from zero to whole ones of `unit`. `null` without values, or when one is unknown. */
export function averageOf(values: readonly (bigint | null)[], unit = 1n): bigint | null {
  const known = values.flatMap((value) => value ?? []);
  if (known.length === 0 || known.length < values.length) return null;
  const total = known.reduce((sum, value) => sum + value, 0n);
  return divided(total, BigInt(known.length) * unit) * unit;
}

/**
 * Of a day and of those that it is like, on one basis: what came in on them, or what was paid of their invoices, where a first
 * reading of an earlier version knows no more. `null` where neither is known of all.
 */
export function moneyOfDays(now: Pick<ComparedDay, 'received' | 'amounts'>, others: readonly FirstReading[]) {
  const bases = {
    cameIn: ({ received }: Partial<FirstReading>) => sumOrUnknown(received?.sum),
    paid: ({ amounts }: Partial<FirstReading>) => sumOrUnknown(amounts?.paid),
  };
  for (const basis of ['cameIn', 'paid'] as const) {
    const value = bases[basis](now);
    const known = others.flatMap((other) => bases[basis](other) ?? []);
    if (value !== null && known.length === others.length) return { basis, value, others: known };
  }
  return null;
}

export function sumOrUnknown(sum: string | null | undefined): Thousandths | null {
  return sum === null || sum === undefined ? null : parseSum(sum);
}
