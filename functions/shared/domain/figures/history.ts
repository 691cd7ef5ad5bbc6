import * as z from 'zod';
import { addDays, daySchema } from '../day/business-day.ts';
import type { Day } from '../day/business-day.ts';
import { isComparison } from '../balance/comparisons.ts';
import { DAY_FIGURES } from './figures.ts';
import type { Difference, Figures } from './figures.ts';
import { isSameJson } from '../json/same-json.ts';
import { currencySchema } from '../money/sealed.ts';

/** The figures of a sealed day's newest revision, as they are kept in the history. */
export const dayFiguresSchema = z.lazy(() =>
  z.object({
    day: daySchema,
    revision: z.int().min(1),
    balanced: z.boolean(),
    /**
     * Names of the comparisons that disagreed, sorted. Left out when the day is balanced or they are not
     * known.
     */
    disagreed: z.array(z.string().max(64)).max(50).optional(),
    counts: DAY_FIGURES.counts,
    amounts: DAY_FIGURES.amounts.nullable(),
    refunds: DAY_FIGURES.refundTotal,
    /** Of the amounts, as the day was sealed. Histories of earlier versions do not have it. */
    currency: currencySchema.optional(),
  }),
);
/** The figures of a sealed day in the history. */
export type DayFigures = z.infer<typeof dayFiguresSchema>;

/** How many calendar days before a day are its history: four weeks, for the average of a weekday. */
export const HISTORY_DAYS = 28;

/** How many days are kept of a merchant. So lookback days have a history too. */
const MOST_DAYS = 60;

/** Each name once. `undefined` when there is none, or when a name is from another version. */
function namesOf(differences: readonly Difference[]): string[] | undefined {
  const names = new Set(differences.map(({ name }) => name ?? ''));
  return names.size > 0 && [...names].every(isComparison) ? [...names].sort() : undefined;
}

/** What a sealed revision adds to the history of its merchant. */
export function figuresOfDay(
  sealed: Figures & {
    day: Day;
    revision: number;
    differences: readonly Difference[];
    currency?: string | undefined;
  },
): DayFigures {
  const { day, revision, balanced, counts, amounts, refunds, currency } = sealed;
  const names = namesOf(sealed.differences);
  const disagreed = names === undefined ? {} : { disagreed: names };
  return dayFiguresSchema.parse({
    day,
    revision,
    balanced,
    ...disagreed,
    counts,
    amounts,
    refunds,
    currency,
  });
}

/**
 * Whether the stored figures are better than the added ones: of a newer revision, or of the same one with the
 * names of comparisons or the currency.
 */
function saysMore(standing: DayFigures, added: DayFigures): boolean {
  if (standing.revision !== added.revision) return standing.revision > added.revision;
  return (
    (standing.disagreed !== undefined && added.disagreed === undefined) ||
    (standing.currency !== undefined && added.currency === undefined)
  );
}

/** The history with these days added, newest day first. An older revision never replaces a newer one. */
export function withDays(history: readonly DayFigures[], added: readonly DayFigures[]): DayFigures[] {
  const days = new Map(history.map((known) => [known.day, known]));
  for (const figures of added) {
    const standing = days.get(figures.day);
    if (standing === undefined || !saysMore(standing, figures)) days.set(figures.day, figures);
  }
  return [...days.values()].sort((one, other) => (one.day < other.day ? 1 : -1)).slice(0, MOST_DAYS);
}

/**
 * The days, each with a currency. Days of an earlier version get the one of the day that is sealed now: from then on a change
 * of the registry does not change theirs.
 */
export function withCurrency(days: readonly DayFigures[], currency: string | undefined): DayFigures[] {
  return days.map((day) => (day.currency === undefined ? { ...day, currency } : day));
}

/** Whether two histories have the same days with the same figures. */
export function isSameHistory(one: readonly DayFigures[], other: readonly DayFigures[]): boolean {
  // In nearly every run the first day decides, because it is new.
  return one.length === other.length && one.every((figures, index) => isSameJson(figures, other[index]));
}

/**
 * Whether a day that is not in the history may still be sealed, because its run died before it stored it. A
 * day before the oldest one of a full history was in it once.
 */
export function mayLack(history: readonly DayFigures[], day: Day): boolean {
  if (history.some((known) => known.day === day)) return false;
  return history.length < MOST_DAYS || history.some((known) => known.day < day);
}

/** The days of a history before `day`, at most {@link HISTORY_DAYS}, newest first. */
export function daysBefore(history: readonly DayFigures[], day: Day): DayFigures[] {
  const first = addDays(day, -HISTORY_DAYS);
  return history.filter((known) => known.day >= first && known.day < day);
}
