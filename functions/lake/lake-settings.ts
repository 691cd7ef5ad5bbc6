import * as z from 'zod';
import { WEEKDAYS, addDays, dayAt, daysUntilWeekday, instantOf } from '#records/day/business-day.ts';

const merchants = z.union([z.literal('all'), z.array(z.string()).readonly()]);

/**
 * What the stage's settings say about the history. The deploy puts them beside the code, in {@link SETTINGS_FILE}: thousands of codes
 * fit neither into a variable nor into a template.
 */
export const lakeSettingsSchema = z.lazy(() =>
  z.object({
    timeZone: z.string(),
    /** `HH:MM`: the first look after it merges. */
    mergeAt: z.string(),
    /** The weekday on which the tables are maintained, after `mergeAt`. */
    maintainOn: z.enum(WEEKDAYS),
    /** How long the bucket keeps objects after they were written, days. */
    retention: z.object({ dataDays: z.int(), manifestDays: z.int(), ledgerDays: z.int() }),
    groups: z.array(z.object({ name: z.string(), merchants, personal: z.boolean() })),
  }),
);

export type LakeSettings = z.infer<typeof lakeSettingsSchema>;

/** The file beside the code that holds {@link LakeSettings}. */
export const SETTINGS_FILE = 'settings.json';

type Times = Pick<LakeSettings, 'timeZone' | 'mergeAt' | 'maintainOn'>;

/** When the last daily work was due, milliseconds UTC. */
export function lastMerge(now: number, { timeZone, mergeAt }: Times): number {
  const today = dayAt(now, timeZone);
  const at = instantOf(today, mergeAt, timeZone);
  return at <= now ? at : instantOf(addDays(today, -1), mergeAt, timeZone);
}

/** When the last weekly work was due, milliseconds UTC. */
export function lastMaintenance(now: number, times: Times): number {
  const { timeZone, mergeAt, maintainOn } = times;
  const merged = dayAt(lastMerge(now, times), timeZone);
  const since = (7 - daysUntilWeekday(merged, maintainOn)) % 7;
  return instantOf(addDays(merged, -since), mergeAt, timeZone);
}
