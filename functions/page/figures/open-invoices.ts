import * as z from 'zod';
import { addDays } from '#records/day/business-day.ts';
import type { Day } from '#records/day/business-day.ts';
import { countAndSum } from '#records/figures/figure-schemas.ts';
import { outcomesAt } from '#records/figures/outcome-tally.ts';
import type { Outcomes } from '#records/figures/invoice-outcomes.ts';
import type { OutcomesAt } from '#records/figures/outcome-tally.ts';
import { addSummed, formatAmount, parseSum, sumNames, sumOfParts } from '#records/money/money.ts';
import type { PeriodDays } from '#records/period/period.ts';

export type CountAndSum = z.infer<typeof countAndSum>;

/** The invoices made in a period, by what had become of them when it was over. */
export const issuedInPeriodSchema = z.lazy(() =>
  countAndSum.unwrap().extend({
    paid: countAndSum,
    /** Unpaid, with a link that still worked. */
    open: countAndSum,
    /** Unpaid, with a link that had ended. */
    expired: countAndSum,
    cancelled: countAndSum,
    /** In no state that the registry names. */
    other: countAndSum,
  }),
);

/** In whole days, from the day on which an invoice was made to the end of the period. */
const AGES = [
  { from: 0, to: 7 },
  { from: 8, to: 30 },
  { from: 31, to: 60 },
  { from: 61, to: null },
] as const;

/**
 * What was open at the start, and what became of it and of what was made in the period: `openBefore` and the issued
 * ones, less `settled` and `expired`, are `openAfter`.
 */
export const openInvoicesSchema = z.lazy(() =>
  z.object({
    /** Open when the day before the period was over. */
    openBefore: countAndSum,
    /** In the period, whatever day they were made. */
    settled: z.object({ paid: countAndSum, cancelled: countAndSum, other: countAndSum }),
    /** Unpaid, with a link that ended in the period. */
    expired: countAndSum,
    openAfter: countAndSum,
    /** What was unpaid when the period was over, by age. */
    ageing: z
      .array(
        z.object({
          from: z.int().min(0),
          /** `null`: and over. */
          to: z.int().min(0).nullable(),
          open: countAndSum,
          expired: countAndSum,
        }),
      )
      .max(AGES.length),
  }),
);
export type OpenInvoices = z.infer<typeof openInvoicesSchema>;

/** A day's page, as far as it says what became of its invoices. */
export interface FollowedPage {
  day: Day;
  outcomes: Omit<Outcomes, 'seen'>;
}

type Picture = Record<keyof OutcomesAt | 'other', CountAndSum>;

/** All pages together, as they stood when a day was over. */
function pictureOf(pages: readonly FollowedPage[], until: Day): Picture {
  const each = pages.map(({ outcomes }) => ({ ...outcomesAt(outcomes, until), other: outcomes.other }));
  const sum = (name: keyof Picture) => sumNames(sumOfParts(each.map((one) => one[name])));
  return {
    paid: sum('paid'),
    open: sum('open'),
    expired: sum('expired'),
    cancelled: sum('cancelled'),
    other: sum('other'),
  };
}

/** @param pages of the period */
export function issuedInPeriod(
  pages: readonly FollowedPage[],
  { to }: Pick<PeriodDays, 'to'>,
): z.infer<typeof issuedInPeriodSchema> {
  const picture = pictureOf(pages, to);
  return { ...addSummed(Object.values(picture)), ...picture };
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
  const between = (name: keyof Picture): CountAndSum => ({
    count: after[name].count - before[name].count,
    sum: formatAmount(parseSum(after[name].sum) - parseSum(before[name].sum)),
  });
  return {
    openBefore: before.open,
    settled: { paid: between('paid'), cancelled: between('cancelled'), other: between('other') },
    expired: between('expired'),
    openAfter: after.open,
    ageing: AGES.map((age) => {
      const oldest = age.to === null ? '' : addDays(to, -age.to);
      const { open, expired } = pictureOf(
        pages.filter(({ day }) => oldest <= day && day <= addDays(to, -age.from)),
        to,
      );
      return { ...age, open, expired };
    }),
  };
}
