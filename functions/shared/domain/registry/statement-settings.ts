import * as z from 'zod';
import { WEEKDAYS } from '../day/weekday.ts';
import { durationSchema } from './duration.ts';

/** A time on a clock, `HH:MM`. */
export const timeOfDaySchema = z.lazy(() => z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be HH:MM'));

/**
 * When the statement of a week is mailed: on this weekday, at this time of the merchant's clock. It covers the
 * last whole week before that day.
 */
export const weeklySchema = z.lazy(() => z.object({ on: z.enum(WEEKDAYS), at: timeOfDaySchema }));
export type WeeklySettings = z.infer<typeof weeklySchema>;

/**
 * When the statement of a month is mailed: on this day of the next month, which every month has, at this time of
 * the merchant's clock.
 */
export const monthlySchema = z.lazy(() => z.object({ onDay: z.int().min(1).max(28), at: timeOfDaySchema }));
export type MonthlySettings = z.infer<typeof monthlySchema>;

const DAY = 86_400_000;
/** Milliseconds. */
const [LONGEST_WAIT, LONGEST_CORRECTION] = [7 * DAY, 366 * DAY];

const DURATION = 'must be hours or days such as "12h" or "45d"';

/** Milliseconds. How long after its time a statement waits for days that are not sealed. */
export const waitForSchema = z.lazy(() =>
  durationSchema('hd', DURATION).refine((duration) => duration <= LONGEST_WAIT, 'must be at most 7d'),
);

/** Milliseconds. How long after its time a statement follows revisions of its days. */
export const correctForSchema = z.lazy(() =>
  durationSchema('hd', DURATION).refine((duration) => duration <= LONGEST_CORRECTION, 'must be at most 366d'),
);

/** A member that may be left out. `null` switches off what it would inherit. Both are `undefined` after parsing. */
export function orOff<Schema extends z.ZodType>(schema: Schema) {
  return schema
    .nullable()
    .transform((value) => value ?? undefined)
    .optional();
}

/** The registry's `statements`: which statements of weeks and months a merchant gets, and when. */
export const statementSettingsSchema = z.lazy(() =>
  z.object({
    weekly: orOff(weeklySchema),
    monthly: orOff(monthlySchema),
    waitFor: waitForSchema.prefault('12h'),
    correctFor: correctForSchema.prefault('45d'),
  }),
);
/** Without `weekly` there are no statements of weeks, without `monthly` none of months. Durations in milliseconds. */
export type StatementSettings = z.infer<typeof statementSettingsSchema>;
