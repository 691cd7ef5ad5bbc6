import { describe, expect, it } from 'vitest';
import { newestDueDay, reportClock } from '#watch/delivery-watch/expected-pages.ts';

describe('reportClock', () => {
  const defaults = { timeZone: 'Asia/Dubai', reportAt: '25:00', reportFrom: '2026-11-01' };

  it.each<[string, unknown, object]>([
    [
      'the merchant’s own values if they are usable',
      { timeZone: 'Asia/Kolkata', reportAt: '07:15' },
      { timeZone: 'Asia/Kolkata', reportAt: '07:15' },
    ],
    [
      'the registry’s defaults if they are not',
      { timeZone: 'Nowhere', reportFrom: 7 },
      { timeZone: 'Asia/Dubai', reportFrom: '2026-11-01' },
    ],
    ['the product’s defaults if neither is usable', { reportAt: 'noon' }, { reportAt: '06:00' }],
    ['the defaults for a value that is not an entry', 'x', { timeZone: 'Asia/Dubai', reportAt: '06:00' }],
    ['the defaults if there is no entry', undefined, { timeZone: 'Asia/Dubai', reportAt: '06:00' }],
  ])('uses %s', (_what, entry, clock) => {
    expect(reportClock({ defaults }, entry)).toMatchObject(clock);
  });

  it('uses the product’s default where the registry says nothing', () => {
    expect(reportClock({ defaults: {} }, {})).toEqual({
      timeZone: 'Asia/Kuwait',
      reportAt: '06:00',
      reportFrom: undefined,
    });
  });
});

it.each([
  ['Asia/Kuwait', '06:00', '2026-11-21T02:59:59.999Z', '2026-11-19'],
  ['Asia/Kuwait', '06:00', '2026-11-21T03:00:00.000Z', '2026-11-20'],
  ['Asia/Kolkata', '06:00', '2026-11-21T00:30:00.000Z', '2026-11-20'],
  ['Asia/Kathmandu', '06:00', '2026-11-21T00:14:59.999Z', '2026-11-19'],
  ['Asia/Kathmandu', '06:00', '2026-11-21T00:15:00.000Z', '2026-11-20'],
  ['Pacific/Kiritimati', '00:00', '2026-11-20T10:00:00.000Z', '2026-11-20'],
  ['Pacific/Pago_Pago', '23:45', '2026-11-22T10:45:00.000Z', '2026-11-20'],
  // 02:30 is skipped in that night and counts as 03:30.
  ['Europe/Berlin', '02:30', '2026-03-29T01:29:59.999Z', '2026-03-27'],
  ['Europe/Berlin', '02:30', '2026-03-29T01:30:00.000Z', '2026-03-28'],
  // This time comes twice in that night and counts the first time.
  ['Europe/Berlin', '02:30', '2026-10-25T00:30:00.000Z', '2026-10-24'],
  // The zone skipped 30 December.
  ['Pacific/Apia', '06:00', '2011-12-31T15:00:00.000Z', '2011-12-30'],
  ['Pacific/Apia', '06:00', '2011-12-30T16:00:00.000Z', '2011-12-30'],
])('newestDueDay in %s at %s is, at %s, %s', (timeZone, reportAt, at, day) => {
  expect(newestDueDay({ timeZone, reportAt, reportFrom: undefined }, Date.parse(at))).toBe(day);
});
