import { describe, expect, it } from 'vitest';
import { addDays, type Day } from '#records/day/business-day.ts';
import { addReceived, outcomesAt, OutcomeTally, pagePayments } from '#records/figures/outcome-tally.ts';
import { formatAmount, parseSum, sumOfParts } from '#records/money/money.ts';
import { daysOf } from '#records/period/period.ts';
import { issuedInPeriod, openInvoices } from '#page/figures/open-invoices.ts';
import type { CountAndSum, FollowedPage } from '#page/figures/open-invoices.ts';
import { fc, forAll } from '#support/assertions/for-all.ts';

const MONTH = { from: '2026-11-01', to: '2026-11-30' };
const FIRST = addDays(MONTH.from, -95);
const SETTINGS = {
  timeZone: 'Asia/Kuwait',
  invoiceTypes: ['1'],
  invoiceStatuses: { '0': 'not_paid', '1': 'paid', '3': 'cancelled' },
} as const;

/** What becomes of an invoice, in days after the day on which it was made. */
interface Life {
  amount: bigint;
  status: 0 | 1 | 3 | 9;
  /** Of its payment. A cancelled one is cancelled as it is made. */
  paidAfter: number;
  /** Until the last day of its link; `null`: it says none. */
  linkDays: number | null;
}

const life = fc.record<Life>({
  amount: fc.bigInt(1n, 10n ** 9n),
  status: fc.constantFrom(0, 0, 1, 1, 3, 9),
  paidAfter: fc.nat(85),
  linkDays: fc.option(fc.nat(60)),
});
/** For some days, from {@link FIRST} to the end of the month, the invoices made on them. */
const lives = fc.array(fc.tuple(fc.nat(124), fc.array(life, { minLength: 1, maxLength: 8 })), {
  minLength: 1,
  maxLength: 30,
});

function pageOf(day: Day, invoices: readonly Life[], readAt: Day) {
  const tally = new OutcomeTally(day, Date.parse(`${readAt}T03:00:00Z`), SETTINGS);
  for (const [index, { amount, status, paidAfter, linkDays }] of invoices.entries()) {
    const invoice = { id: index, invoice_status: status, amount: formatAmount(amount) };
    tally.add('1', invoice, {
      expires_at: linkDays === null ? null : addDays(day, linkDays),
      transaction: { paid_on: `${addDays(day, paidAfter)} 12:00:00`, payment_type: 'KNET' },
    });
  }
  const outcomes = tally.outcomes();
  if (outcomes === null) throw new Error('the statuses are named');
  return { day, outcomes };
}

function pagesOf(days: readonly (readonly [number, readonly Life[]])[]) {
  const byDay = new Map<Day, Life[]>();
  for (const [offset, invoices] of days) {
    const day = addDays(FIRST, offset);
    byDay.set(day, [...(byDay.get(day) ?? []), ...invoices]);
  }
  return [...byDay].map(([day, invoices]) => pageOf(day, invoices, addDays(MONTH.to, 90)));
}

function sum(...parts: readonly CountAndSum[]): CountAndSum {
  const { count, amount } = sumOfParts(parts.map((part) => ({ count: part.count, amount: part.sum })));
  return { count, sum: amount };
}

function isOfMonth({ day }: FollowedPage): boolean {
  return day >= MONTH.from;
}

describe('the open invoices of a period', () => {
  it('add up: open at the start and issued, less paid, cancelled and expired, are open at the end', () =>
    forAll([lives], (days) => {
      const pages = pagesOf(days);
      const issued = issuedInPeriod(pages.filter(isOfMonth), MONTH);
      const { openBefore, settled, expired, openAfter, ageing } = openInvoices(pages, MONTH);
      const left = [settled.paid, settled.cancelled, settled.other, expired, openAfter];
      expect(sum(...left)).toEqual(sum(openBefore, issued));
      for (const { count } of [...left, openBefore]) expect(count).toBeGreaterThanOrEqual(0);
      expect(sum(...ageing.map(({ open }) => open))).toEqual(openAfter);
      const { paid, open, cancelled, other } = issued;
      expect(sum(paid, open, issued.expired, cancelled, other)).toEqual({
        count: issued.count,
        sum: issued.sum,
      });
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
      const total = addReceived(received);
      expect(openInvoices(pages, MONTH).settled.paid).toEqual({ count: total.count, sum: total.sum });
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
        const total = (name: 'open' | 'expired') =>
          at.reduce((all, one) => all + parseSum(one[name].amount), 0n);
        expect([parseSum(open.sum), parseSum(expired.sum)]).toEqual([total('open'), total('expired')]);
      }
    }));

  it('have the ages that accountants use', () => {
    const unpaid = { amount: 1_000n, status: 0, paidAfter: 0, linkDays: null } as const;
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
