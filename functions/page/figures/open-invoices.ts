import * as z from 'zod';
import { addDays } from '#records/day/business-day.ts';
import type { Day } from '#records/day/business-day.ts';
import type { CountAndAmount } from '#records/figures/breakdown.ts';
import { outcomesAt } from '#records/figures/outcome-tally.ts';
import type { Outcomes } from '#records/figures/invoice-outcomes.ts';
import type { OutcomesAt } from '#records/figures/outcome-tally.ts';
import { formatAmount, parseSum, sealed, sumOfParts } from '#records/money/money.ts';
import type { PeriodDays } from '#records/period/period.ts';

const countAndSumSchema = z.lazy(() => z.object({ count: sealed.count, sum: sealed.amount }));
export type CountAndSum = z.infer<typeof countAndSumSchema>;

/** The invoices made in a period, by what had become of them when it was over. */
export const issuedInPeriodSchema = z.lazy(() =>
  countAndSumSchema.unwrap().extend({
    paid: countAndSumSchema,
    /** Unpaid, with a link that still worked. */
    open: countAndSumSchema,
    /** Unpaid, with a link that had ended. */
    expired: countAndSumSchema,
    cancelled: countAndSumSchema,
    /** In no state that the registry names. */
    other: countAndSumSchema,
  }),
);

/** In whole days, from the day on which an invoice was made to the end of the period. */
const AGES = [
  { from: 0, to: 7 },
  { from: 8, to: 30 },
  { from: 31, to: 60 },
  { from: 61, to: null },
] as const;

const ageSchema = z.lazy(() =>
  z.object({
    from: z.int().min(0),
    /** `null`: and over. */
    to: z.int().min(0).nullable(),
    open: countAndSumSchema,
    expired: countAndSumSchema,
  }),
);

/**
 * What was open at the start, and what became of it and of what was made in the period: `openBefore` and the issued
 * ones, less `settled` and `expired`, are `openAfter`.
 */
export const openInvoicesSchema = z.lazy(() =>
  z.object({
    /** Open when the day before the period was over. */
    openBefore: countAndSumSchema,
    /** In the period, whatever day they were made. */
    settled: z.object({ paid: countAndSumSchema, cancelled: countAndSumSchema, other: countAndSumSchema }),
    /** Unpaid, with a link that ended in the period. */
    expired: countAndSumSchema,
    openAfter: countAndSumSchema,
    /** What was unpaid when the period was over, by age. */
    ageing: z.array(ageSchema).max(AGES.length),
  }),
);
export type OpenInvoices = z.infer<typeof openInvoicesSchema>;

/** A day's page, as far as it says what became of its invoices. */
export interface FollowedPage {
  day: Day;
  outcomes: Omit<Outcomes, 'seen'>;
}

type Picture = OutcomesAt & Pick<Outcomes, 'other'>;

/** All pages together, as they stood when a day was over. */
function pictureOf(pages: readonly FollowedPage[], until: Day): Picture {
  const each = pages.map(({ outcomes }) => ({ ...outcomesAt(outcomes, until), other: outcomes.other }));
  const sum = (name: keyof Picture) => sumOfParts(each.map((one) => one[name]));
  return {
    paid: sum('paid'),
    cancelled: sum('cancelled'),
    expired: sum('expired'),
    open: sum('open'),
    other: sum('other'),
  };
}

function named({ count, amount }: CountAndAmount): CountAndSum {
  return { count, sum: amount };
}

function less(whole: CountAndAmount, part: CountAndAmount): CountAndSum {
  const sum = formatAmount(parseSum(whole.amount) - parseSum(part.amount));
  return { count: whole.count - part.count, sum };
}

/** @param pages of the period */
export function issuedInPeriod(
  pages: readonly FollowedPage[],
  { to }: Pick<PeriodDays, 'to'>,
): z.infer<typeof issuedInPeriodSchema> {
  const { paid, open, expired, cancelled, other } = pictureOf(pages, to);
  return {
    ...named(sumOfParts([paid, open, expired, cancelled, other])),
    paid: named(paid),
    open: named(open),
    expired: named(expired),
    cancelled: named(cancelled),
    other: named(other),
  };
}

/**
 * Two pictures, of the evening before the period and of its last evening: each adds up to all of its invoices, so what
 * lies between them adds up too.
 * @param pages of the period, and of the days before it whose invoices may have been open
 */
export function openInvoices(pages: readonly FollowedPage[], { from, to }: PeriodDays): OpenInvoices {
  const before = pictureOf(
    pages.filter(({ day }) => day < from),
    addDays(from, -1),
  );
  const after = pictureOf(pages, to);
  const between = (name: keyof Picture) => less(after[name], before[name]);
  return {
    openBefore: named(before.open),
    settled: { paid: between('paid'), cancelled: between('cancelled'), other: between('other') },
    expired: between('expired'),
    openAfter: named(after.open),
    ageing: AGES.map((age) => {
      const oldest = age.to === null ? '' : addDays(to, -age.to);
      const { open, expired } = pictureOf(
        pages.filter(({ day }) => oldest <= day && day <= addDays(to, -age.from)),
        to,
      );
      return { ...age, open: named(open), expired: named(expired) };
    }),
  };
}
