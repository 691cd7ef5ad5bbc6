import { describe, expect, it } from 'vitest';
import { reportChange } from '#bin/daybook/registry/changes/settings-phrases.ts';

/** 10:00 in Kuwait. */
const NOW = Date.parse('2026-11-23T07:00:00Z');
const at = (reportAt: string, timeZone = 'Asia/Kuwait', lookbackDays = [1, 3, 7]) => ({
  reportAt,
  timeZone,
  lookbackDays,
});

describe('the first report after a change of its time', () => {
  it.each([
    ['06:00', '07:30', 'from tomorrow (2026-11-24)', undefined],
    ['06:00', '12:00', 'from tomorrow (2026-11-24)', undefined],
    ['12:00', '13:00', 'from today (2026-11-23)', undefined],
    ['12:00', '11:00', 'from today (2026-11-23)', undefined],
  ])('from %s to %s is %s', (before, after, from, gap) => {
    expect(reportChange(at(before), at(after), NOW)).toEqual({ from, late: gap });
  });

  it('skips a day when the new time has passed and the old one has not come', () => {
    expect(reportChange(at('12:00'), at('09:00'), NOW)).toEqual({
      from: 'from tomorrow (2026-11-24)',
      late: { day: '2026-11-22', comes: true },
    });
    expect(reportChange(at('12:00'), at('09:00', 'Asia/Kuwait', []), NOW)).toEqual({
      from: 'from tomorrow (2026-11-24)',
      late: { day: '2026-11-22', comes: false },
    });
  });

  it('counts days by the new clock', () => {
    // 2026-11-23 20:00 on Kiritimati is 06:00 UTC: an hour ago.
    expect(reportChange(at('06:00'), at('20:00', 'Pacific/Kiritimati'), NOW)).toEqual({
      from: 'from tomorrow (2026-11-24)',
      late: undefined,
    });
  });
});
