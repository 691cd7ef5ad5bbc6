import { describe, expect, it } from 'vitest';
import { againstUsual, needsOf, shareOf, valueOf, type Readings } from '#alerts/rules/measures.ts';
import type { Counts } from '#records/figures/figure-schemas.ts';
import { formatAmount } from '#records/money/money.ts';
import { MEASURES } from '#registry/alert-rules.ts';
import { NOTHING_KNOWN, rulesOf } from '#support/domain/alert-script.ts';
import { defined } from '#support/assertions/defined.ts';
import { fc, forAll } from '#support/assertions/for-all.ts';

const NOW = Date.parse('2026-11-20T09:00:00Z');
const COUNTS: Counts = { total: 428, paid: 301, notPaid: 96, cancelled: 31, other: 0 };
const NO_COUNTS: Counts = { total: null, paid: null, notPaid: null, cancelled: null, other: null };
const EMPTY: Counts = { total: 0, paid: 0, notPaid: 0, cancelled: 0, other: 0 };
const AMOUNTS = { paid: 1_000_000n, unpaid: 143_500n };
const REFUNDS = { count: 12, total: 143_500n, largest: 99_999n };
const usual = (amount: bigint, sum: bigint, days: number) =>
  againstUsual({ day: '2026-11-20', by: '14:00', currency: 'KWD' }, amount, { sum, days });
const USUAL = usual(12_500n, 91_464n, 3);
const NO_REFUNDS = { count: 0, total: 0n, largest: 0n };

const ruleOf = (measure: string, parameters: object = {}) =>
  defined(rulesOf({ name: 'r', measure, above: '1', ...parameters })[0]);

function figureOf(measure: string, readings: Partial<Readings>, parameters?: object): string | null {
  const known = { ...NOTHING_KNOWN, now: NOW, today: '2026-11-20', ...readings };
  const value = valueOf(ruleOf(measure, parameters), known);
  return value === null ? null : formatAmount(value);
}

const ALL_KNOWN: Partial<Readings> = {
  ...{ counts: COUNTS, amounts: AMOUNTS, refunds: REFUNDS, expiring: [], lastSealedAt: NOW },
  ...{ usualSoFar: USUAL, usualDay: USUAL },
};
const NEEDED_MEMBER = {
  counts: 'counts',
  amounts: 'amounts',
  refunds: 'refunds',
  expiring: 'expiring',
  lastSealed: 'lastSealedAt',
  usualSoFar: 'usualSoFar',
  usualDay: 'usualDay',
} as const;

describe('measures', () => {
  it.each<[string, Partial<Readings>, string | null]>([
    ['invoiceCount', { counts: COUNTS }, '428.000'],
    ['invoiceCount', { counts: EMPTY }, '0.000'],
    ['invoiceCount', { counts: { ...COUNTS, total: null } }, null],
    ['unpaidCount', { counts: COUNTS }, '96.000'],
    ['unpaidCount', { counts: { ...NO_COUNTS, notPaid: 96 } }, '96.000'],
    ['unpaidCount', { counts: { ...COUNTS, notPaid: null } }, null],
    ['unpaidShare', { counts: COUNTS }, '22.430'],
    ['unpaidShare', { counts: { ...COUNTS, total: null } }, null],
    ['unpaidShare', { counts: { ...COUNTS, notPaid: null } }, null],
    ['unpaidShare', { counts: EMPTY }, null],
    ['unpaidAmount', { amounts: AMOUNTS }, '143.500'],
    ['unpaidAmount', { counts: COUNTS }, null],
    ['cancelledCount', { counts: COUNTS }, '31.000'],
    ['cancelledCount', { counts: { ...COUNTS, cancelled: null } }, null],
    ['cancelledShare', { counts: COUNTS }, '7.243'],
    ['cancelledShare', { counts: EMPTY }, null],
    ['refundCount', { refunds: REFUNDS }, '12.000'],
    ['refundCount', { refunds: NO_REFUNDS }, '0.000'],
    ['refundTotal', { refunds: REFUNDS }, '143.500'],
    ['refundTotal', { refunds: { ...REFUNDS, total: 9_007_199_254_740_993_001n } }, '9007199254740993.001'],
    ['refundShare', { refunds: REFUNDS, amounts: AMOUNTS }, '14.350'],
    ['refundShare', { refunds: { ...REFUNDS, total: 2_500_000n }, amounts: AMOUNTS }, '250.000'],
    ['refundShare', { refunds: NO_REFUNDS, amounts: AMOUNTS }, '0.000'],
    ['refundShare', { refunds: REFUNDS, amounts: { ...AMOUNTS, paid: 0n } }, null],
    ['largestRefund', { refunds: REFUNDS }, '99.999'],
    ['largestRefund', { refunds: NO_REFUNDS }, '0.000'],
    ['reportAge', { lastSealedAt: NOW }, '0.000'],
    ['reportAge', { lastSealedAt: NOW - 3_600 }, '0.001'],
    ['reportAge', { lastSealedAt: NOW - 26.5 * 3_600_000 }, '26.500'],
    // The clock of the writer is ahead of ours.
    ['reportAge', { lastSealedAt: NOW + 5_000 }, '0.000'],
    ['shareOfUsualSoFar', { usualSoFar: USUAL }, '41.000'],
    ['shareOfUsualSoFar', { usualSoFar: usual(0n, 91_464n, 3) }, '0.000'],
    ['shareOfUsualSoFar', { usualSoFar: usual(12_500n, 91_464n, 1) }, null],
    ['shareOfUsualSoFar', { usualSoFar: usual(12_500n, 0n, 3) }, null],
    ['shareOfUsualDay', { usualDay: usual(12_500n, 1n, 2) }, '2500000.000'],
  ])('%s of %o is %j', (measure, readings, value) => {
    expect(figureOf(measure, readings)).toBe(value);
  });

  it.each(MEASURES.map(({ name }) => name))(
    '%s has a value if all that it needs is known, and no value if any of that is unknown',
    (name) => {
      const needs = [...needsOf([ruleOf(name, { withinDays: 3 })]).needs];
      const needed = Object.fromEntries(
        needs.map((need) => [NEEDED_MEMBER[need], ALL_KNOWN[NEEDED_MEMBER[need]]]),
      );
      expect(figureOf(name, needed, { withinDays: 3 })).not.toBeNull();
      for (const need of needs) {
        expect(figureOf(name, { ...ALL_KNOWN, [NEEDED_MEMBER[need]]: null }, { withinDays: 3 })).toBeNull();
      }
    },
  );
});

it('rules say what a check must read, and nothing else', () => {
  const needs = (...measures: string[]) => {
    const rule = { above: '1', withinDays: 3, createdWithinDays: 90 };
    return needsOf(rulesOf(...measures.map((measure, index) => ({ name: `r${index}`, measure, ...rule }))));
  };
  expect(needs()).toEqual({ needs: new Set(), sealedDaysBack: 0 });
  expect(needs('unpaidCount', 'cancelledShare')).toEqual({ needs: new Set(['counts']), sealedDaysBack: 0 });
  expect(needs('refundShare')).toEqual({ needs: new Set(['refunds', 'amounts']), sealedDaysBack: 0 });
  expect(needs('reportAge', 'expiringUnpaid')).toEqual({
    needs: new Set(['lastSealed', 'expiring']),
    sealedDaysBack: 90,
  });
});

describe('expiringUnpaid', () => {
  const expiring = (createdOn: string, ...expiresOn: string[]) =>
    expiresOn.map((date) => ({ createdOn, expiresOn: date }));

  it.each([
    ['expired yesterday', '2026-11-01', '2026-11-19', 0],
    ['expires today', '2026-11-01', '2026-11-20', 1],
    ['expires on the last day', '2026-11-01', '2026-11-23', 1],
    ['expires after the last day', '2026-11-01', '2026-11-24', 0],
    ['was created on the first day read', '2026-10-21', '2026-11-21', 1],
    ['was created before the first day read', '2026-10-20', '2026-11-21', 0],
    ['was created today', '2026-11-20', '2026-11-21', 1],
    ['was created after today', '2026-11-21', '2026-11-22', 0],
  ])('counts, within 3 days, an invoice that %s', (_, createdOn, expiresOn, count) => {
    const value = figureOf('expiringUnpaid', { expiring: [{ createdOn, expiresOn }] }, { withinDays: 3 });
    expect(value).toBe(`${count}.000`);
  });

  it('reads as many days back as its rule says', () => {
    const created = { expiring: expiring('2026-09-25', '2026-11-21') };
    const value = (createdWithinDays: number) =>
      figureOf('expiringUnpaid', created, { withinDays: 3, createdWithinDays });
    expect([value(55), value(56)]).toEqual(['0.000', '1.000']);
  });
});

describe('shares', () => {
  const amount = fc.bigInt({ min: 0n, max: 10n ** 33n });

  it('are exact to half a thousandth of a percent, far beyond 2^53', () =>
    forAll([amount, fc.bigInt({ min: 1n, max: 10n ** 33n })], (part, whole) => {
      const share = defined(shareOf(part, whole));
      const twiceTheError = 2n * (share * whole - part * 100_000n);
      expect(twiceTheError <= whole && twiceTheError > -whole).toBe(true);
    }));

  it('of exactly half are rounded up', () => {
    expect(shareOf(1n, 200_000n)).toBe(1n);
    expect(shareOf(1n, 200_001n)).toBe(0n);
    expect(shareOf(-1n, 200_000n)).toBe(0n);
    expect(shareOf(-3n, 200_000n)).toBe(-1n);
    expect(shareOf(-1n, 3n)).toBe(-33_333n);
  });

  it('of zero or of an unknown value are unknown', () => {
    expect([shareOf(1n, 0n), shareOf(null, 1n), shareOf(1n, null), shareOf(0n, 0n)]).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });
});
