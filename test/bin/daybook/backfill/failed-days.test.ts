import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { failedDays } from '#bin/daybook/backfill/backfill.ts';

const item = (days: string[]) => ({ merchantCode: '700001', days, send: false, scheduledTime: null });
const child = (days: string[], Error: string, Cause: string) => ({ Input: item(days), Error, Cause });

describe('the failed days of a child', () => {
  it('are those in its cause, each with its own error', () => {
    const cause = '2 of 3 failed: ["2026-11-01: ServerError","2026-11-03: LoginRefusedError"]';
    expect(failedDays(child(['2026-11-01', '2026-11-02', '2026-11-03'], 'ServerError', cause))).toEqual([
      { merchantCode: '700001', day: '2026-11-01', error: 'ServerError' },
      { merchantCode: '700001', day: '2026-11-03', error: 'LoginRefusedError' },
    ]);
  });

  it('are all of its days when the cause does not name them', () => {
    const expected = ['2026-11-01', '2026-11-02'].map((day) => ({
      merchantCode: '700001',
      day,
      error: 'States.Timeout',
    }));
    expect(failedDays(child(['2026-11-01', '2026-11-02'], 'States.Timeout', ''))).toEqual(expected);
    expect(failedDays(child(['2026-11-01', '2026-11-02'], 'States.Timeout', '1 of 2 failed: ["x"]'))).toEqual(
      expected,
    );
  });

  it('are never none, whatever the cause is', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (error, cause) => {
        expect(failedDays(child(['2026-11-01'], error, cause))).toHaveLength(1);
      }),
    );
  });
});
