import * as z from 'zod';
import { addDays, daySchema } from '../day/business-day.ts';
import type { Day } from '../day/business-day.ts';
import { isComparison } from '../balance/comparisons.ts';
import { INVOICE_STATES, countsSchema } from './figures.ts';
import type { Difference, Figures } from './figures.ts';
import { SUM_PATTERN } from '../money/money.ts';

const amount = z.lazy(() =>
  z.string().regex(SUM_PATTERN, 'must be a decimal string with three fraction digits'),
);

/**
 * What is remembered of a sealed day: its newest revision's figures. Strict about days and amounts: what passes here is
 * sealed into other days' manifests, and one that a mail cannot be made of would never be mailed.
 */
export const dayFiguresSchema = z.lazy(() =>
  z.object({
    day: daySchema,
    revision: z.int().min(1),
    balanced: z.boolean(),
    /** Names of the comparisons that disagree, sorted; left out of a balanced day, and where they are not known. */
    disagreed: z.array(z.string().max(64)).max(50).optional(),
    counts: countsSchema,
    amounts: z.record(z.enum(INVOICE_STATES), amount).nullable(),
    refunds: z.object({ count: z.int(), total: amount }),
  }),
);
export type DayFigures = z.infer<typeof dayFiguresSchema>;

/** So many calendar days before a day are its history: four weeks, for the average of a weekday. */
export const HISTORY_DAYS = 28;

/** So many days are remembered of a merchant: a day that is looked back at has a history, too. */
const MOST_DAYS = 60;

/** Each name once; `undefined` where there is none, or one that an earlier or later version gave. */
function namesOf(differences: readonly Difference[]): string[] | undefined {
  const names = new Set(differences.map(({ name }) => name ?? ''));
  return names.size > 0 && [...names].every(isComparison) ? [...names].sort() : undefined;
}

/** What a sealed revision adds to the history of its merchant. */
export function figuresOfDay(
  sealed: Figures & { day: Day; revision: number; differences: readonly Difference[] },
): DayFigures {
  const { day, revision, balanced, counts, amounts, refunds } = sealed;
  const names = namesOf(sealed.differences);
  const disagreed = names === undefined ? {} : { disagreed: names };
  return dayFiguresSchema.parse({ day, revision, balanced, ...disagreed, counts, amounts, refunds });
}

/**
 * Whether what stands there of a day says more than what is added: it is of a newer revision, or of the same one and
 * knows what disagreed.
 */
function saysMore(standing: DayFigures, added: DayFigures): boolean {
  if (standing.revision !== added.revision) return standing.revision > added.revision;
  return standing.disagreed !== undefined && added.disagreed === undefined;
}

/** The history with a day in it, newest day first. An older revision never takes the place of a newer one. */
export function withDay(history: readonly DayFigures[], added: DayFigures): DayFigures[] {
  const standing = history.find(({ day }) => day === added.day);
  if (standing !== undefined && saysMore(standing, added)) return [...history];
  return [...history.filter(({ day }) => day !== added.day), added]
    .sort((one, other) => (one.day < other.day ? 1 : -1))
    .slice(0, MOST_DAYS);
}

/**
 * Whether a day that is not in the history may be sealed all the same, its run dead before it could say so. One that is
 * older than all of a full history had its place in it once.
 */
export function mayLack(history: readonly DayFigures[], day: Day): boolean {
  if (history.some((known) => known.day === day)) return false;
  return history.length < MOST_DAYS || history.some((known) => known.day < day);
}

/** The days of a history that are before `day`, {@link HISTORY_DAYS} at the most, newest first. */
export function daysBefore(history: readonly DayFigures[], day: Day): DayFigures[] {
  const first = addDays(day, -HISTORY_DAYS);
  return history.filter((known) => known.day >= first && known.day < day);
}
