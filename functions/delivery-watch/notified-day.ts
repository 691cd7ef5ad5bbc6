import * as z from 'zod';
import { daySchema } from '#domain/day/business-day.ts';

/**
 * How bad it is that a report is missing. 1: it arrived and needs a look. 2: it did not arrive, and a later run may still
 * bring it. 3: it stays so until a person does something.
 */
export type Badness = 1 | 2 | 3;

/** How bad a reason is, in the words of `delivery-watch`. */
export function badnessOf(reason: string): Badness {
  if (reason === 'unbalanced') return 1;
  const mayPass = reason === 'no run' || reason === 'mail not sent' || reason.startsWith('pull failed');
  return mayPass ? 2 : 3;
}

/** What ops were told of one day; kept in the data bucket, and written after they were told. */
export const toldDaySchema = z.lazy(() =>
  z.object({
    day: daySchema,
    /** Counts the all-clears: the same trouble after one is news again. */
    spell: z.int().min(0),
    /** Whose reports were told as missing since the last all-clear, and the worst that was told of each. */
    told: z.array(z.object({ merchantCode: z.string(), badness: z.literal([1, 2, 3]) })),
    /** By which ways the notices were heard: hashes of addresses, and `topic`. They get the all-clear. */
    heardBy: z.array(z.string()),
  }),
);
export type NotifiedDay = z.infer<typeof toldDaySchema>;

/** Of a day of which nobody was told anything. */
export function nothingTold(day: string): NotifiedDay {
  return { day, spell: 0, told: [], heardBy: [] };
}

/** A merchant's day as the watch found it; `missing` is the reason, `null` where the report arrived. */
export interface Looked {
  merchantCode: string;
  day: string;
  missing: string | null;
}

/** What is missing of the day that is worse than all that was told of it. */
export function worseThanTold({ day, told }: NotifiedDay, looked: readonly Looked[]): Looked[] {
  const worst = new Map(told.map(({ merchantCode, badness }) => [merchantCode, badness]));
  return looked.filter(
    ({ merchantCode, day: of, missing }) =>
      of === day && missing !== null && badnessOf(missing) > (worst.get(merchantCode) ?? 0),
  );
}

/**
 * Whether all is well again on a day of which trouble was told: nobody's report is missing, and everybody of whom it was
 * told was looked at, or is expected no more. Whom the watch looks at for a later day by now is not known to be well.
 *
 * @param looked all that the watch looked at, of whatever day
 */
export function isWellAgain({ day, told }: NotifiedDay, looked: readonly Looked[]): boolean {
  if (told.length === 0) return false;
  if (looked.some(({ day: of, missing }) => of === day && missing !== null)) return false;
  const days = Map.groupBy(looked, ({ merchantCode }) => merchantCode);
  return told.every(({ merchantCode }) =>
    (days.get(merchantCode) ?? [{ day }]).some((one) => one.day === day),
  );
}

/** What was told, after what is missing was told. */
export function withTold(
  before: NotifiedDay,
  looked: readonly Looked[],
  heardBy: readonly string[],
): NotifiedDay {
  const worst = new Map(before.told.map(({ merchantCode, badness }) => [merchantCode, badness]));
  for (const { merchantCode, day, missing } of looked) {
    if (day !== before.day || missing === null) continue;
    const badness = badnessOf(missing);
    if (badness > (worst.get(merchantCode) ?? 0)) worst.set(merchantCode, badness);
  }
  const told = [...worst].map(([merchantCode, badness]) => ({ merchantCode, badness }));
  return { ...before, told, heardBy: [...new Set([...before.heardBy, ...heardBy])].sort() };
}

/** What was told, after the all-clear. */
export function withAllClear({ day, spell }: NotifiedDay): NotifiedDay {
  return { ...nothingTold(day), spell: spell + 1 };
}
