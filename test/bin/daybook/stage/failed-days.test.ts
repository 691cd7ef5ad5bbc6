import { failedDays } from '#bin/daybook/stage/stage-queues.ts';
import { defined, fc, forAll } from '#support/assertions/index.ts';

const DAYS = ['2026-11-01', '2026-11-02', '2026-11-03'];

it('are all of them when the whole message failed, or its runs died', () => {
  const all = (error: string | null) => DAYS.map((day) => ({ day, error }));
  expect(failedDays(DAYS, 'the message: UnknownMerchantError: no such merchant')).toEqual(
    all('UnknownMerchantError'),
  );
  expect(failedDays(DAYS, null)).toEqual(all(null));
});

it('are also those that a reason has no room for', () => {
  const reason = `2026-11-02: ServerError: ${'x'.repeat(2_000)}`.slice(0, 2_000);
  expect(failedDays(DAYS, reason)).toEqual([
    { day: '2026-11-02', error: 'ServerError' },
    { day: '2026-11-03', error: null },
  ]);
});

it('are never none, and never other days, whatever the reason is', () =>
  forAll([fc.string()], (reason) => {
    const found = failedDays(DAYS, reason);
    expect(found).not.toEqual([]);
    expect(DAYS).toContain(defined(found[0]).day);
  }));
