import { describe, expect, test } from 'vitest';
import { tickWindow, type LastTick } from '#plan/tick-store.ts';
import { fc, forAll } from '#support/assertions/for-all.ts';

const MINUTE = 60_000;
const now = Date.parse('2026-11-21T03:00:05Z');
const last = { is: 'known', tick: '2026-11-21T02:45:00Z', since: '2026-11-21T02:30:00.000Z' } as const;
const NEXT_YEAR = { ...last, tick: '2027-11-21T02:45:00Z', since: '2027-11-21T02:30:00.000Z' };
const LOST = { is: 'spoilt', reason: 'is not JSON' } as const;

describe('the window of a tick', () => {
  test.each<[string, string, LastTick, string, boolean]>([
    [
      'fifteen minutes for the first tick ever',
      '2026-11-21T03:00:00Z',
      { is: 'none' },
      '2026-11-21T02:45',
      true,
    ],
    ['the same for the same tick', '2026-11-21T02:45:00.000Z', last, '2026-11-21T02:30', false],
    ['fifteen minutes for a late tick', '2026-11-21T01:00:00Z', last, '2026-11-21T00:45', false],
    // The ticks that were missed before somebody wrote that are made up for.
    ['not affected by a tick of next year', '2026-11-21T03:00:00Z', NEXT_YEAR, '2026-11-20T03:00', true],
    // So that no merchant is left out.
    ['24 hours if the last tick is lost', '2026-11-21T03:00:00Z', LOST, '2026-11-20T03:00', true],
  ])('is %s', (_what, tick, before, since, isNewest) => {
    expect(tickWindow(tick, before, now)).toEqual({ tick, since: `${since}:00.000Z`, isNewest });
  });

  test('begins at most 24 hours back', () => {
    const window = tickWindow('2026-11-30T06:00:00Z', last, Date.parse('2026-11-30T06:00:01Z'));
    expect(window.since).toBe('2026-11-29T06:00:00.000Z');
  });

  test.each([
    ['years ago', '2019-01-01T00:00:00Z', '2026-11-20T02:45:00.000Z'],
    ['after it ended', '2026-11-22T00:00:00Z', '2026-11-21T02:45:00.000Z'],
  ])('never begins %s, whatever is recorded', (_, since, expected) => {
    expect(tickWindow(last.tick, { ...last, since }, now).since).toBe(expected);
  });

  test('of missed, repeated and late ticks covers all the time; the newest ticks cover no moment twice', () => {
    const tickTimes = fc.array(
      fc.record({ gap: fc.integer({ min: 1, max: 96 }), repeats: fc.integer({ min: 0, max: 2 }) }),
      { minLength: 1, maxLength: 40 },
    );
    forAll([tickTimes], (ticks) => {
      let remembered: LastTick = { is: 'none' };
      let time = Date.parse('2026-03-20T00:00:00Z');
      let covered: number | undefined;
      for (const { gap, repeats } of ticks) {
        const late = new Date(time).toISOString();
        time += gap * 15 * MINUTE;
        const tick = new Date(time).toISOString();
        const window = tickWindow(tick, remembered, time);
        expect(window.isNewest).toBe(true);
        if (covered !== undefined) expect(Date.parse(window.since)).toBe(covered);
        remembered = { is: 'known', tick: window.tick, since: window.since };
        covered = time;
        for (let repeat = 0; repeat < repeats; repeat += 1) {
          expect(tickWindow(tick, remembered, time)).toEqual({ ...window, isNewest: false });
          expect(tickWindow(late, remembered, time).isNewest).toBe(false);
        }
      }
    });
  });
});
