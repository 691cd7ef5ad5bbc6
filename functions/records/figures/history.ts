import * as z from 'zod';
import { addDays, daySchema } from '../day/business-day.ts';
import type { Day } from '../day/business-day.ts';
import { isComparison } from '../balance/comparisons.ts';
import { DAY_FIGURES } from './figure-schemas.ts';
import type { Difference } from './figure-schemas.ts';
import { followedSchema, outcomesSchema } from './invoice-outcomes.ts';
import type { Followed, Outcomes } from './invoice-outcomes.ts';
import { isSameJson } from '../json/same-json.ts';
import { currencySchema } from '../money/money.ts';

/** A day as its first whole revision said it: mornings are compared with mornings. */
export const firstReadingSchema = z.lazy(() =>
  z.object({
    balanced: z.boolean(),
    counts: DAY_FIGURES.counts,
    amounts: DAY_FIGURES.amounts.nullable(),
    /** What came in on the day. `null`: its page does not say. */
    received: DAY_FIGURES.countAndSum.nullable(),
    refunds: DAY_FIGURES.refundTotal,
  }),
);
export type FirstReading = z.infer<typeof firstReadingSchema>;

type Said = Omit<FirstReading, 'received'> & Partial<Pick<FirstReading, 'received'>>;

/** What a revision says of its day, and no more. */
export function readingOf({ balanced, counts, amounts, received = null, refunds }: Said): FirstReading {
  return {
    balanced,
    counts,
    amounts,
    received: received && { count: received.count, sum: received.sum },
    refunds: { count: refunds.count, total: refunds.total },
  };
}

/** Of a whole day. `null`: unknown, since its page is a later revision by a version that did not keep it. */
export function firstReadingOf(
  page: Said & { revision: number; first?: FirstReading | null | undefined },
): FirstReading | null {
  if (page.first !== undefined) return page.first;
  return page.revision === 1 ? readingOf(page) : null;
}

export const dayFiguresSchema = z.lazy(() =>
  z.object({
    day: daySchema,
    revision: z.int().min(1),
    balanced: z.boolean(),
    /** Sorted names of comparisons. Left out when balanced or unknown. */
    disagreed: z.array(z.string().max(64)).max(50).optional(),
    counts: DAY_FIGURES.counts,
    amounts: DAY_FIGURES.amounts.nullable(),
    refunds: DAY_FIGURES.refundTotal,
    /** Of the amounts, as the day was sealed. Histories of earlier versions do not have it. */
    currency: currencySchema.optional(),
    /** It stays whatever later revisions say. Unknown of days that an earlier version read again. */
    first: firstReadingSchema.nullable().optional(),
  }),
);
export type DayFigures = z.infer<typeof dayFiguresSchema>;

/** A day whose invoices are followed until they are settled. */
export const followedDaySchema = z.lazy(() =>
  dayFiguresSchema.unwrap().extend({
    /** Histories of earlier versions do not have it. */
    followed: z
      .object({
        ...followedSchema.unwrap().shape,
        outcomes: outcomesSchema.unwrap().omit({ seen: true }).nullable(),
        /** As sealed on the day's page. */
        received: DAY_FIGURES.countAndSum.nullable(),
      })
      .optional(),
    /** What the day's mail tells of earlier days, until that is accounted for. `undefined` when it is not known. */
    told: z.array(z.object({ day: daySchema, to: z.int().min(1) })).optional(),
  }),
);
export type FollowedDay = z.infer<typeof followedDaySchema>;

/** How far a merchant's open past is known. Histories of earlier versions know nothing of it. */
export const followStateSchema = z.lazy(() =>
  z.object({
    /** All pages from this day on are in the history, with what follows them. */
    followedFrom: daySchema.nullable().default(null),
    /** The last day on which the service's counts of a range were not those of its days. */
    countsFailedOn: daySchema.nullable().default(null),
  }),
);
export type FollowState = z.infer<typeof followStateSchema>;

/** Four weeks, for the average of a weekday. */
export const HISTORY_DAYS = 28;

export const MOST_DAYS = 60;

/** `undefined` when there is none, or one is from another version. */
function namesOf(differences: readonly Difference[]): string[] | undefined {
  const names = new Set(differences.map(({ name }) => name ?? ''));
  return names.size > 0 && [...names].every(isComparison) ? [...names].sort() : undefined;
}

/** @param sealed `followed` is `null` when it is of an earlier version */
export function figuresOfDay(
  sealed: Said & {
    day: Day;
    revision: number;
    differences: readonly Difference[];
    currency?: string | undefined;
    told?: readonly { day: Day; to: number }[];
    first?: FirstReading | null | undefined;
    outcomes?: Outcomes | null;
    followed?: Followed | null;
  },
): FollowedDay {
  const { outcomes = null, followed, received = null } = sealed;
  const disagreed = namesOf(sealed.differences);
  return followedDaySchema.parse({
    ...sealed,
    ...(disagreed && { disagreed }),
    currency: sealed.currency,
    first: firstReadingOf(sealed),
    followed: followed ? { ...followed, outcomes, received } : undefined,
  });
}

/** Whether it is of a newer revision, or of the same one with more known. */
function saysMore(standing: FollowedDay, added: FollowedDay): boolean {
  if (standing.revision !== added.revision) return standing.revision > added.revision;
  return (['disagreed', 'currency', 'followed', 'told'] as const).some(
    (name) => standing[name] !== undefined && added[name] === undefined,
  );
}

/** The newer of two revisions of a day. What is known of its first reading stays. */
function newerOf(standing: FollowedDay, added: FollowedDay): FollowedDay {
  const newer = saysMore(standing, added) ? standing : added;
  const first = standing.first ?? added.first;
  return newer.first === first ? newer : { ...newer, first };
}

/** Newest day first. An older revision never replaces a newer one. @param most days */
export function withDays(
  history: readonly FollowedDay[],
  added: readonly FollowedDay[],
  most = MOST_DAYS,
): FollowedDay[] {
  const days = new Map(history.map((known) => [known.day, known]));
  for (const figures of added) {
    const standing = days.get(figures.day);
    days.set(figures.day, standing === undefined ? figures : newerOf(standing, figures));
  }
  return [...days.values()].sort((one, other) => (one.day < other.day ? 1 : -1)).slice(0, most);
}

/** Days of an earlier version get the currency of now: a change of the registry then keeps theirs. */
export function withCurrency(days: readonly FollowedDay[], currency: string | undefined): FollowedDay[] {
  return days.map((day) => (day.currency === undefined ? { ...day, currency } : day));
}

export function isSameHistory(one: readonly FollowedDay[], other: readonly FollowedDay[]): boolean {
  // In nearly every run the first day decides, because it is new.
  return one.length === other.length && one.every((figures, index) => isSameJson(figures, other[index]));
}

/** A sealed day whose run died is not here. Before the oldest of a full history, a day was here once. */
export function mayLack(history: readonly DayFigures[], day: Day): boolean {
  if (history.some((known) => known.day === day)) return false;
  return history.length < MOST_DAYS || history.some((known) => known.day < day);
}

/** Of the last {@link HISTORY_DAYS} before a day. */
export function recentDays<Known extends DayFigures>(history: readonly Known[], day: Day): Known[] {
  const first = addDays(day, -HISTORY_DAYS);
  return history.filter((known) => known.day >= first && known.day < day);
}

/** At most {@link HISTORY_DAYS} and a day of the year before, newest first, with what a page seals of them. */
export function daysBefore(
  history: readonly FollowedDay[],
  day: Day,
  yearBefore: readonly FollowedDay[] = [],
): DayFigures[] {
  return [...recentDays(history, day), ...yearBefore].map(
    ({ followed: _followed, told: _told, ...known }) => known,
  );
}
