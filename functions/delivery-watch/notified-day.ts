import * as z from 'zod';
import { daySchema } from '#domain/day/business-day.ts';
import { isWorse, withProblems, withWays } from './notified-problems.ts';
import type { Badness, NotifiedProblems } from './notified-problems.ts';

/** How bad a reason of `delivery-watch` is. */
export function badnessOf(reason: string): Badness {
  if (reason === 'unbalanced') return 1;
  const mayPass = reason === 'no run' || reason === 'mail not sent' || reason.startsWith('pull failed');
  return mayPass ? 2 : 3;
}

/**
 * What ops were notified of for one day. Stored in the data bucket (docs/interfaces.md, 6 Objects) after the notice
 * was sent.
 */
export const notifiedDaySchema = z.lazy(() =>
  z.object({
    day: daySchema,
    /** The number of all-clears so far. After an all-clear, ops are notified again of the same trouble. */
    spell: z.int().min(0),
    /**
     * The merchants whose reports ops know to be missing since the last all-clear, and the worst badness that
     * ops know of each.
     */
    told: z.array(z.object({ merchantCode: z.string(), badness: z.literal([1, 2, 3]) })),
    /**
     * The ways on which notices reached ops: hashes of addresses, and `topic`. The all-clear goes to these.
     */
    heardBy: z.array(z.string()),
  }),
);
/** What ops were notified of for one day. */
export type NotifiedDay = z.infer<typeof notifiedDaySchema>;

/** The record of a day of which ops were not notified. */
export function nothingNotified(day: string): NotifiedDay {
  return { day, spell: 0, told: [], heardBy: [] };
}

/** A merchant's day as the watch found it. `missing` is the reason, `null` when the report arrived. */
export interface Looked {
  merchantCode: string;
  day: string;
  missing: string | null;
}

function troubleTold({ told }: NotifiedDay): NotifiedProblems {
  return new Map(told.map(({ merchantCode, badness }) => [merchantCode, badness]));
}

/** The missing reports that are worse than anything that ops know of the day. */
export function worseThanNotified(notified: NotifiedDay, looked: readonly Looked[]): Looked[] {
  const told = troubleTold(notified);
  return looked.filter(
    ({ merchantCode, day, missing }) =>
      day === notified.day && missing !== null && isWorse(told, merchantCode, badnessOf(missing)),
  );
}

/**
 * Whether all is well again on a day of which ops know trouble. No report is missing any more, and each
 * merchant in trouble was looked at or is not expected any more. A merchant whose later day is looked at now
 * is not known to be well.
 *
 * @param looked all that the watch looked at, of any day
 */
export function isWellAgain({ day, told }: NotifiedDay, looked: readonly Looked[]): boolean {
  if (told.length === 0) return false;
  if (looked.some(({ day: of, missing }) => of === day && missing !== null)) return false;
  const days = Map.groupBy(looked, ({ merchantCode }) => merchantCode);
  return told.every(({ merchantCode }) =>
    (days.get(merchantCode) ?? [{ day }]).some((one) => one.day === day),
  );
}

/** The record after ops were notified of what is missing. */
export function withNotified(
  before: NotifiedDay,
  looked: readonly Looked[],
  heardBy: readonly string[],
): NotifiedDay {
  const found = looked.flatMap(({ merchantCode, day, missing }): (readonly [string, Badness])[] =>
    day === before.day && missing !== null ? [[merchantCode, badnessOf(missing)]] : [],
  );
  const told = [...withProblems(troubleTold(before), found)];
  return {
    ...before,
    told: told.map(([merchantCode, badness]) => ({ merchantCode, badness })),
    heardBy: withWays(before.heardBy, heardBy),
  };
}

/** The record after the all-clear. */
export function withAllClear({ day, spell }: NotifiedDay): NotifiedDay {
  return { ...nothingNotified(day), spell: spell + 1 };
}
