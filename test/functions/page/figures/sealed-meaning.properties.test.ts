import { comparedIn } from '#page/statement/gather-period.ts';
import type { Day } from '#records/day/business-day.ts';
import { CHARGE_COLUMNS, type ChargeColumn } from '#records/figures/charges.ts';
import { daysBefore, figuresOfDay, withDays, type FollowedDay } from '#records/figures/history.ts';
import { pagePayments } from '#records/figures/outcome-tally.ts';
import type { Outcomes } from '#records/figures/invoice-outcomes.ts';
import type { InvoiceStatusNames } from '#records/figures/invoice-state-totals.ts';
import { formatAmount } from '#records/money/money.ts';
import { daysOf, periodBefore, periodDays } from '#records/period/period.ts';
import type { MerchantSettings } from '#registry/registry-schema.ts';
import type { Manifest } from '#records/revision/manifest.ts';
import { meaningOf, pageSettings, settingsOfNext, type PageSettings } from '#page/page-settings.ts';
import { comparedPeriod, type Statement } from '#page/figures/statement.ts';
import { composeGroup, memberOfDay, memberOfStatement } from '#page/figures/compose-group.ts';
import { composeStatement } from '#page/figures/compose-statement.ts';
import { defined, fc, forAll } from '#support/assertions/index.ts';
import { sealedManifest } from '#support/records/manifests.ts';
import { merchant } from '#support/plan/running-plan.ts';

/**
 * Amounts of each currency in a size of their own, in thousandths: sums, differences and averages of up to four are multiples
 * of `unit` below `end`. So an amount shows whether another currency is in it.
 */
const SIZES = {
  KWD: { unit: 1n, end: 1_000_000n },
  SAR: { unit: 1_000_000n, end: 1_000_000_000_000n },
  AED: { unit: 1_000_000_000_000n, end: 1_000_000_000_000_000_000n },
};
type Currency = keyof typeof SIZES;
const CURRENCIES = ['KWD', 'SAR', 'AED'] as const;
const WEEK = '2026-W47';
const DAYS = daysOf(periodDays(WEEK, 'monday'));
const FORMER = daysOf(periodDays(periodBefore(WEEK), 'monday'));

function sizeOf(currency: string): (typeof SIZES)[Currency] {
  return SIZES[defined(CURRENCIES.find((one) => one === currency))];
}

/** Every amount in a value, at any depth, in thousandths. */
function amountsIn(value: unknown): bigint[] {
  const found = JSON.stringify(value).matchAll(/"-?(?<whole>\d+)\.(?<fraction>\d{3})"/g);
  return [...found].map(({ groups }) => BigInt(`${groups?.['whole']}${groups?.['fraction']}`));
}

function expectOnly(currency: string | null, value: unknown): void {
  const amounts = amountsIn(value);
  if (currency === null) {
    expect(amounts).toEqual([]);
    return;
  }
  const { unit, end } = sizeOf(currency);
  expect(amounts.filter((amount) => amount % unit !== 0n || amount >= end)).toEqual([]);
}

interface Step {
  code: '700001' | '700002';
  /** The registry from now on. */
  currency: Currency;
  words: InvoiceStatusNames;
  charges: ChargeColumn[];
  /** The day that is then sealed, for the first time or again, and its amounts. */
  day: string;
  size: number;
}

const steps = fc.array(
  fc.record<Step>({
    code: fc.constantFrom('700001', '700002'),
    currency: fc.constantFrom(...CURRENCIES),
    words: fc.dictionary(fc.constantFrom('0', '1', '2'), fc.constantFrom('paid', 'not_paid', 'other'), {
      noNullPrototype: true,
    }),
    charges: fc.subarray([...CHARGE_COLUMNS]),
    day: fc.constantFrom(...FORMER, ...DAYS),
    size: fc.integer({ min: 1, max: 9 }),
  }),
  { minLength: 1, maxLength: 40 },
);

/** A page with amounts of the size of its currency. */
function pageOf(settings: PageSettings, { day, size }: Step, before?: Manifest): Manifest {
  const { unit } = sizeOf(settings.currency);
  // A multiple of 12, so that an average of two, three or four is whole.
  const amount = (times: number) => formatAmount(unit * BigInt(12 * size * times));
  const total = { count: 1, total: amount(2) };
  const figures = { ...total, byStatus: { approved: total } };
  const byMethod = [{ method: 'KNET', count: 6, amount: amount(9) }];
  const charges = CHARGE_COLUMNS.map((column) => ({ column, total: amount(1) }));
  const outcomes: Outcomes = {
    paid: [{ day, count: 6, amount: amount(9), seen: 0, byMethod, charges }],
    cancelled: [{ day, count: 1, amount: amount(1) }],
    open: [
      { lastDay: day, count: 1, amount: amount(1) },
      { lastDay: null, count: 2, amount: amount(2) },
    ],
    other: { count: 1, amount: amount(1) },
    seen: [],
  };
  const { currency } = settings;
  return {
    ...sealedManifest(),
    ...pagePayments({ day, currency, outcomes, followed: { stated: {}, pendingRefunds: [] } }),
    merchantCode: settings.merchantCode,
    day,
    revision: (before?.revision ?? 0) + 1,
    amounts: { paid: amount(9), notPaid: amount(3), cancelled: amount(1), other: amount(1) },
    refunds: { ...figures, saleBasis: figures },
    received: {
      count: 6,
      sum: amount(9),
      ofEarlier: { count: 1, sum: amount(1) },
      byMethod: [],
      charges: [],
      basis: { paidOn: 6, seen: 0, otherCurrency: 0 },
    },
    breakdown: { byType: [], byMethod, charges },
    ...meaningOf(settings),
  };
}

/** A merchant whose registry changes and whose days are sealed, step by step. */
class SealingMerchant {
  settings: MerchantSettings;
  readonly pages = new Map<string, Manifest>();
  /** The currency of the registry when each day was first sealed. */
  readonly sealedIn = new Map<string, string>();
  #history: FollowedDay[] = [];

  constructor(code: string) {
    this.settings = merchant({ merchantCode: code });
  }

  take(step: Step): void {
    const { currency, words: invoiceStatuses, charges, day } = step;
    this.settings = { ...this.settings, currency, invoiceStatuses, charges };
    const before = this.pages.get(day);
    const settings = settingsOfNext(before, this.settings);
    if (before === undefined) this.sealedIn.set(day, currency);
    else expect(settings.invoiceStatuses).toMatchObject(defined(before.invoiceStatuses ?? undefined));
    const page = { ...pageOf(settings, step, before), history: daysBefore(this.#history, day) };
    this.pages.set(day, page);
    this.#history = withDays(this.#history, [figuresOfDay(page)]);
    expect(page.currency).toBe(this.sealedIn.get(day));
    for (const { currency: of, amounts, refunds } of page.history) expectOnly(of ?? null, [amounts, refunds]);
  }

  #followed(from: Day) {
    return this.#history.flatMap(({ day, currency, followed }) =>
      day < from && followed?.outcomes ? [{ day, currency, outcomes: followed.outcomes }] : [],
    );
  }

  /** `undefined` when no day of it is sealed. */
  statement(period: string): Statement | undefined {
    const { merchantCode, currency, charges } = this.settings;
    const days = periodDays(period, 'monday');
    const pages = daysOf(days).flatMap((day) => this.pages.get(day) ?? []);
    if (pages.length === 0) return undefined;
    const content = composeStatement(
      { merchantCode, period, ...days, currency, charges, followed: this.#followed(days.from) },
      pages,
    );
    const former = period === WEEK ? this.statement(periodBefore(WEEK)) : undefined;
    const of = former?.currency ?? null;
    const before =
      former === undefined || of === null
        ? null
        : { figures: comparedPeriod(former), currency: of, first: former.from };
    return {
      ...content,
      ...comparedIn(content.currency, {}, { before, lastYear: null }),
      revision: 1,
      sealedAt: '2026-12-01T00:00:00.000Z',
      scheduledTime: null,
      previous: null,
    };
  }
}

function expectHonest(statement: Statement, { sealedIn }: SealingMerchant): void {
  const { days, byCurrency, currency, before, ...sums } = statement;
  expectOnly(currency, [sums, before]);
  for (const { day, currency: own = currency, ...figures } of days) {
    expect(own).toBe(sealedIn.get(day));
    expectOnly(own, figures);
  }
  expect(Object.keys(byCurrency ?? {}).sort()).toEqual(
    currency === null ? [...new Set(days.map((day) => defined(day.currency)))].sort() : [],
  );
  for (const [of, figures] of Object.entries(byCurrency ?? {})) expectOnly(of, figures);
}

it('whatever the registry becomes between the days that are sealed no sum or comparison has amounts of two currencies, and each amount has the one it was sealed with', () =>
  forAll([steps], (taken) => {
    const merchants = [new SealingMerchant('700001'), new SealingMerchant('700002')];
    for (const step of taken)
      defined(merchants.find(({ settings }) => settings.merchantCode === step.code)).take(step);
    const statements = merchants.flatMap((one) => {
      const statement = one.statement(WEEK);
      if (statement !== undefined) expectHonest(statement, one);
      return statement === undefined ? [] : [memberOfStatement(statement, one.settings)];
    });
    const day = defined(taken.at(-1)).day;
    const ofDay = merchants.flatMap(({ pages, settings }) => {
      const page = pages.get(day);
      return page === undefined ? [] : [memberOfDay(page, pageSettings(page, settings))];
    });
    for (const [members, period] of [[statements, WEEK] as const, [ofDay, day] as const]) {
      const subject = { group: 'all', period, ...periodDays(period, 'monday') };
      const group = composeGroup(subject, members, [], []);
      for (const member of group.merchants) expectOnly(member.currency, member);
      for (const [of, sums] of Object.entries(group.byCurrency)) expectOnly(of, sums);
    }
  }));
