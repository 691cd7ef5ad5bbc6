import * as z from 'zod';
import { addDays } from './business-day.ts';
import type { Day } from './business-day.ts';
import { amountsSchema, countsSchema } from './figures.ts';

/** What is remembered of a sealed day: its newest revision's figures. Amounts are decimal strings. */
export const dayFiguresSchema = z.object({
  day: z.string(),
  revision: z.int().min(1),
  balanced: z.boolean(),
  counts: countsSchema,
  amounts: amountsSchema.nullable(),
  refunds: z.object({ count: z.int(), total: z.string() }),
});
export type DayFigures = z.infer<typeof dayFiguresSchema>;

/** So many calendar days before a day are its history: four weeks, for the average of a weekday. */
export const HISTORY_DAYS = 28;

/** The days of a history that are before `day`, {@link HISTORY_DAYS} at the most, newest first. */
export function daysBefore(history: readonly DayFigures[], day: Day): DayFigures[] {
  const first = addDays(day, -HISTORY_DAYS);
  return history
    .filter((known) => known.day >= first && known.day < day)
    .sort((one, other) => (one.day < other.day ? 1 : -1));
}
