import { expect, it } from 'vitest';
import { suggestedIgnore, SUGGESTED_AFTER } from '#domain/balance/balance-suggestion.ts';
import { addDays } from '#domain/day/business-day.ts';
import type { DayFigures } from '#domain/figures/history.ts';

const LAST = '2026-11-20';

/** Consecutive days, newest first. */
function history(days: readonly Partial<DayFigures>[]): DayFigures[] {
  return days.map((changes, back) => ({
    day: addDays(LAST, -back),
    revision: 1,
    balanced: changes.disagreed === undefined,
    counts: { total: 5, paid: 5, notPaid: 0, cancelled: 0, other: 0 },
    amounts: null,
    refunds: { count: 1, total: '1.000' },
    ...changes,
  }));
}

const OF_REFUNDS = { disagreed: ['refundListAmount'] };
const OF_BOTH = { disagreed: ['refundListAmount', 'statsPaid'] };
const NO_REFUNDS = { refunds: { count: 0, total: '0.000' } };
const NO_INVOICES = { counts: { total: 0, paid: 0, notPaid: 0, cancelled: 0, other: 0 } };

/** Seven days of that difference, and another day among them. */
const around = (failing: Partial<DayFigures>, between: Partial<DayFigures>) => {
  const rest = Array.from({ length: SUGGESTED_AFTER - 1 }, () => failing);
  return history([failing, between, ...rest]);
};

it.each([
  ['refunds does not prevent a suggestion for the refund list', OF_REFUNDS, NO_REFUNDS],
  [
    'refunds and invoices does not prevent a suggestion for the refund list and the totals of invoices',
    OF_BOTH,
    { ...NO_REFUNDS, ...NO_INVOICES },
  ],
])('a day without %s', (_what, failing, quiet) => {
  const suggestion = suggestedIgnore(around(failing, quiet));
  expect(suggestion?.names.map(({ name }) => name)).toEqual(failing.disagreed);
  expect(suggestion).toMatchObject({ from: addDays(LAST, -SUGGESTED_AFTER), to: LAST });
  expect(suggestedIgnore(around(failing, quiet).slice(0, SUGGESTED_AFTER))).toBeUndefined();
});

it.each([
  ['without invoices, but with refunds, prevents a suggestion for the refund list', OF_REFUNDS, NO_INVOICES],
  ['without refunds, but with invoices, prevents a suggestion for both', OF_BOTH, NO_REFUNDS],
  [
    'that is not balanced prevents a suggestion, although it has no refunds',
    OF_REFUNDS,
    { ...NO_REFUNDS, balanced: false },
  ],
])('a day %s', (_what, failing, other) => {
  expect(suggestedIgnore(around(failing, other))).toBeUndefined();
});
