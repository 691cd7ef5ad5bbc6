import * as z from 'zod';
import { addDays, daySchema } from '../day/business-day.ts';
import type { Day } from '../day/business-day.ts';
import type { FollowedDay } from '../figures/history.ts';
import { countAndSum } from '../figures/figure-schemas.ts';
import { sumNames, sumOfParts } from '../money/money.ts';

/*
 * What changed on older days is told once, in the report of a later day. A day's page seals what its report is to tell; whether
 * it did, its ledger says. The history keeps what that adds up to, so that a morning need not read all of it again.
 */

/** An earlier day whose newest revision, `to`, the report tells. `from`: the one that recipients were told last. */
export const toldSchema = z.lazy(() =>
  z.object({ day: daySchema, from: z.int().min(1), to: z.int().min(1) }),
);
export type Told = z.infer<typeof toldSchema>;

/** What the report says of all older days, changed or not, since the last report. */
export const olderSchema = z.lazy(() =>
  z.object({
    /** Unpaid, with a link that ended since. */
    expired: countAndSum,
    /** Still unpaid, with a link that has not ended, and made on a day that is followed no longer. */
    leaving: countAndSum.unwrap().extend({ until: daySchema }),
  }),
);
export type Older = z.infer<typeof olderSchema>;

/** What recipients were told last, as of a day's report. */
export const toldStateSchema = z.lazy(() =>
  z.object({
    /** The mails of days up to this one are in it. */
    until: daySchema,
    /** The newest day whose report told of older days. */
    reported: daySchema.nullable(),
    /** `told`: the revision that was told last, `null` for none. `seen`: the newest one that was looked at. */
    days: z.array(z.object({ day: daySchema, seen: z.int().min(1), told: z.int().min(1).nullable() })),
  }),
);
export type ToldState = z.infer<typeof toldStateSchema>;

/** The one that knows of more mails. */
export function laterState(one: ToldState | null, other: ToldState | null): ToldState | null {
  if (one === null || other === null) return one ?? other;
  return one.until < other.until ? other : one;
}

/** What a day's mail told need not be kept beside the day once it is accounted for. */
export function withoutAccounted(days: readonly FollowedDay[], state: ToldState | null): FollowedDay[] {
  return days.map(({ told, ...day }) =>
    told === undefined || (state !== null && day.day <= state.until) ? day : { ...day, told },
  );
}

/**
 * What ended, and what is followed no longer, since the report of `reported`. `null` when nothing. Days of another currency
 * are left out.
 * @param days the merchant's, with `day` or without @param followFor days; with 0 nothing is followed
 */
export function olderDays(
  days: readonly FollowedDay[],
  { day, reported, currency, followFor }: { day: Day; reported: Day; currency: string; followFor: number },
): Older | null {
  const made = days.filter((known) => known.day < day && (known.currency ?? currency) === currency);
  const openOf = ({ followed }: FollowedDay) => followed?.outcomes?.open ?? [];
  const expired = made
    .flatMap(openOf)
    .filter(({ lastDay }) => lastDay !== null && lastDay > reported && lastDay <= day);
  const [after, until] = [addDays(reported, -followFor), addDays(day, -followFor)];
  const leaving = made
    .filter((known) => followFor > 0 && known.day > after && known.day <= until)
    .flatMap(openOf)
    .filter(({ lastDay }) => lastDay === null || lastDay > day);
  if (expired.length + leaving.length === 0) return null;
  return {
    expired: sumNames(sumOfParts(expired)),
    leaving: { ...sumNames(sumOfParts(leaving)), until },
  };
}
