import { describe, expect, it } from 'vitest';
import { lastQuarter, PaidByQuarter } from '#records/figures/paid-by-quarter.ts';
import { fc, forAll } from '#support/assertions/for-all.ts';

const DAY = '2026-11-20';
const NAMES = { '0': 'not_paid', '1': 'paid' } as const;
const READ_AT = Date.parse('2026-11-21T03:00:00Z');

function paidAt(...times: unknown[]) {
  const paid = new PaidByQuarter(DAY, READ_AT, 'Asia/Kuwait', NAMES);
  for (const time of times) {
    paid.add({ invoice_status: 1, amount: '1.000', transaction: { paid_on: time } });
  }
  paid.add({ invoice_status: 0, amount: '500.000', transaction: { paid_on: null } });
  return paid.before();
}

describe('what was paid before each quarter of an hour', () => {
  it.each([
    ['2026-11-20 13:59:59', 56],
    ['2026-11-20 14:00:00', 57],
    ['20/11/2026 14:00', 57],
    ['2026-11-20T11:00:00Z', 57],
    ['2026-11-20 00:00:00', 1],
    [1_795_158_000, 41],
  ])('counts %s from quarter %i on', (time, first) => {
    expect(paidAt(time)?.findIndex((sum) => sum > 0n)).toBe(first);
  });

  it('leaves out what was paid on a later day', () => {
    expect(paidAt('2026-11-21 00:30:00')?.at(-1)).toBe(0n);
  });

  it.each([null, '2026-11-20', '2026-11-20 10:05 PM', '2026-11-19 12:00:00', '2026-11-20 25:00:00'])(
    'is not known with a payment at %s',
    (time) => {
      expect(paidAt('2026-11-20 10:00:00', time)).toBeNull();
    },
  );

  it('is the exact sum of the payments before', () =>
    forAll([fc.array(fc.tuple(fc.nat(24 * 60 - 1), fc.nat(10 ** 9)))], (payments) => {
      const paid = new PaidByQuarter(DAY, READ_AT, 'Asia/Kuwait', NAMES);
      for (const [minute, amount] of payments) {
        const time = new Date(minute * 60_000).toISOString().slice(11, 19);
        const whole = `${Math.floor(amount / 1_000)}.${String(amount % 1_000).padStart(3, '0')}`;
        paid.add({ invoice_status: 1, amount: whole, transaction: { paid_on: `${DAY} ${time}` } });
      }
      const sumBefore = (end: number) =>
        payments.reduce((sum, [minute, amount]) => (minute < end ? sum + BigInt(amount) : sum), 0n);
      expect(paid.before()).toEqual(Array.from({ length: 96 }, (_, quarter) => sumBefore(quarter * 15)));
    }));
});

describe('the last quarter of an hour', () => {
  it.each([
    ['2026-11-20T11:14:59Z', 56, '14:00'],
    ['2026-11-20T11:15:00Z', 57, '14:15'],
    ['2026-11-20T21:00:00Z', 0, '00:00'],
  ])('at %s is %i', (now, quarter, time) => {
    expect(lastQuarter(Date.parse(now), 'Asia/Kuwait')).toEqual({ quarter, time });
  });
});
