import * as z from 'zod';
import { WEEKDAYS } from '#records/day/business-day.ts';

const MILLISECONDS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A duration such as `12h`: milliseconds after parsing. A day has 24 hours. */
export function durationSchema(units: 'mhd' | 'hd', message: string) {
  return z
    .string()
    .regex(new RegExp(`^[1-9]\\d{0,3}[${units}]$`), message)
    .transform((text) => Number(text.slice(0, -1)) * (MILLISECONDS[text.slice(-1)] ?? 0));
}

/** A duration in the largest unit that shows it exactly. @param duration milliseconds */
export function durationText(duration: number): string {
  const [unit, length] = Object.entries(MILLISECONDS).findLast(([, one]) => duration % one === 0) ?? [
    'm',
    60_000,
  ];
  return `${duration / length}${unit}`;
}

export const timeOfDaySchema = z.lazy(() => z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be HH:MM'));

/** By the merchant's clock. It covers the last whole week before that day. */
export const weeklySchema = z.lazy(() => z.object({ on: z.enum(WEEKDAYS), at: timeOfDaySchema }));

/** By the merchant's clock, on a day that every month has, of the month before. */
export const monthlySchema = z.lazy(() => z.object({ onDay: z.int().min(1).max(28), at: timeOfDaySchema }));

const DAY = 86_400_000;
/** Milliseconds. */
const [LONGEST_WAIT, LONGEST_CORRECTION] = [7 * DAY, 366 * DAY];

const DURATION = 'must be hours or days such as "12h" or "45d"';

/** Milliseconds that a statement waits for days that are not sealed. */
export const waitForSchema = z.lazy(() =>
  durationSchema('hd', DURATION).refine((duration) => duration <= LONGEST_WAIT, 'must be at most 7d'),
);

/** Milliseconds that a statement follows revisions of its days, or after the end of its period until it is closed. */
export const correctForSchema = z.lazy(() =>
  durationSchema('hd', DURATION).refine((duration) => duration <= LONGEST_CORRECTION, 'must be at most 366d'),
);

/** A member that is left out, or `null` to switch off what it would inherit: `undefined` after parsing. */
export function orOff<Schema extends z.ZodType>(schema: Schema) {
  return schema
    .nullable()
    .transform((value) => value ?? undefined)
    .optional();
}

export const statementSettingsSchema = z.lazy(() =>
  z.object({
    weekly: orOff(weeklySchema),
    monthly: orOff(monthlySchema),
    waitFor: waitForSchema.prefault('12h'),
    correctFor: correctForSchema.prefault('45d'),
    /** `undefined`: statements are never closed. */
    closeAfter: orOff(correctForSchema),
  }),
);
/** Left out: no statements of that kind. Durations in milliseconds. */
export type StatementSettings = z.infer<typeof statementSettingsSchema>;
