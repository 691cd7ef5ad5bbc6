import { addDays, type Day } from '#records/day/business-day.ts';
import { addReceived, outcomesAt, pagePayments } from '#records/figures/outcome-tally.ts';
import { daysOf } from '#records/period/period.ts';
import { issuedInPeriod, openInvoices } from '#page/figures/open-invoices.ts';
import type { CountAndSum } from '#page/figures/open-invoices.ts';
import { anyInvoices, outcomesOf, type MadeInvoice, sumOfTexts } from '#support/records/records.ts';
import { fc, forAll } from '#support/assertions/index.ts';

const MONTH = { from: '2026-11-01', to: '2026-11-30' };
const FIRST = addDays(MONTH.from, -95);
/** For some days, from {@link FIRST} to the end of the month, the invoices made on them. */
const lives = fc.array(fc.tuple(fc.nat(124), anyInvoices(85, 8)), { minLength: 1, maxLength: 30 });

function pageOf(day: Day, invoices: readonly MadeInvoice[], readOn: Day) {
  return { day, outcomes: outcomesOf(day, readOn, invoices) };
}

function pagesOf(days: readonly (readonly [number, readonly MadeInvoice[]])[]) {
  const byDay = Map.groupBy(days, ([offset]) => addDays(FIRST, offset));
  return [...byDay].map(([day, of]) => {
    const made = of.flatMap(([, invoices]) => invoices);
    return pageOf(day, made, addDays(MONTH.to, 90));
  });
}

const sum = (...parts: CountAndSum[]) => ({
  count: parts.reduce((all, { count }) => all + count, 0),
  sum: sumOfTexts(parts.map((part) => part.sum)),
});

describe('the open invoices of a period', () => {
  it('add up: open at the start and issued, less paid, cancelled and expired, are open at the end', () =>
    forAll([lives], (days) => {
      const pages = pagesOf(days);
      const ofMonth = pages.filter(({ day }) => day >= MONTH.from);
      const issued = issuedInPeriod(ofMonth, MONTH);
      const { openBefore, settled, expired, openAfter, ageing } = openInvoices(pages, MONTH);
      const left = [settled.paid, settled.cancelled, settled.other, expired, openAfter];
      expect(sum(...left)).toEqual(sum(openBefore, issued));
      for (const { count } of [...left, openBefore]) expect(count).toBeGreaterThanOrEqual(0);
      expect(sum(...ageing.map(({ open }) => open))).toEqual(openAfter);
      const { count, sum: all, paid, open, cancelled, other } = issued;
      expect(sum(paid, open, issued.expired, cancelled, other)).toEqual({ count, sum: all });
    }));

  it('end as the next period begins', () =>
    forAll([lives], (days) => {
      const pages = pagesOf(days);
      const next = { from: addDays(MONTH.to, 1), to: addDays(MONTH.to, 31) };
      expect(openInvoices(pages, next).openBefore).toEqual(openInvoices(pages, MONTH).openAfter);
    }));

  it('are paid as much as came in on the days of the period', () =>
    forAll([lives], { numRuns: 40 }, (days) => {
      const pages = pagesOf(days);
      const received = daysOf(MONTH).flatMap((day) => {
        const { outcomes } = pages.find((page) => page.day === day) ?? pageOf(day, [], addDays(day, 1));
        return pagePayments({ day, currency: 'KWD', outcomes, others: pages }).received ?? [];
      });
      const { count, sum: all } = addReceived(received);
      expect(openInvoices(pages, MONTH).settled.paid).toEqual({ count, sum: all });
    }));

  it('are by age what each page says of the last evening', () =>
    forAll([lives], (days) => {
      const pages = pagesOf(days);
      for (const { from, to, open, expired } of openInvoices(pages, MONTH).ageing) {
        const isOfAge = (day: Day) =>
          day <= addDays(MONTH.to, -from) && (to === null || day >= addDays(MONTH.to, -to));
        const at = pages
          .filter(({ day }) => isOfAge(day))
          .map(({ outcomes }) => outcomesAt(outcomes, MONTH.to));
        const total = (name: 'open' | 'expired') => sumOfTexts(at.map((one) => one[name].amount));
        expect([open.sum, expired.sum]).toEqual([total('open'), total('expired')]);
      }
    }));

  it('have the ages that accountants use', () => {
    const unpaid = { id: 1, amount: 1_000n, status: 0, paidAfter: 0, linkDays: null } as const;
    const ages = [0, 7, 8, 30, 31, 60, 61, 90];
    const pages = ages.map((age) => pageOf(addDays(MONTH.to, -age), [unpaid], addDays(MONTH.to, 1)));
    const { ageing } = openInvoices(pages, MONTH);
    expect(ageing.map(({ from, to, open }) => [from, to, open.count])).toEqual([
      [0, 7, 2],
      [8, 30, 2],
      [31, 60, 2],
      [61, null, 2],
    ]);
  });
});
