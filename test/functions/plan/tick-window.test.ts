import { describe, expect, test } from 'vitest';
import { tickWindow, type LastKnown } from '#plan/tick-store.ts';
import { fc, forAll } from '#support/assertions/for-all.ts';

const MINUTE = 60_000;
const now = Date.parse('2026-11-21T03:00:05Z');
const last = { tick: '2026-11-21T02:45:00Z', since: '2026-11-21T02:30:00.000Z' };

describe('the window of a tick', () => {
  test('of the first tick ever is fifteen minutes', () => {
    expect(tickWindow('2026-11-21T03:00:00Z', 'none', now)).toEqual({
      tick: '2026-11-21T03:00:00Z',
      since: '2026-11-21T02:45:00.000Z',
      isNewest: true,
    });
  });

  test('begins at most 24 hours back', () => {
    const window = tickWindow('2026-11-30T06:00:00Z', last, Date.parse('2026-11-30T06:00:01Z'));
    expect(window.since).toBe('2026-11-29T06:00:00.000Z');
  });

  test('is the same for the same tick, however that is written, and the tick is not recorded again', () => {
    const window = tickWindow('2026-11-21T02:45:00.000Z', last, now);
    expect(window).toEqual({ tick: '2026-11-21T02:45:00.000Z', since: last.since, isNewest: false });
  });

  test('of a late tick is fifteen minutes, and the tick is not recorded', () => {
    expect(tickWindow('2026-11-21T01:00:00Z', last, now)).toEqual({
      tick: '2026-11-21T01:00:00Z',
      since: '2026-11-21T00:45:00.000Z',
      isNewest: false,
    });
  });

  test('is not affected by a recorded tick of next year', () => {
    const wrong = { tick: '2027-11-21T02:45:00Z', since: '2027-11-21T02:30:00.000Z' };
    // The ticks that were missed before somebody wrote that are made up for.
    expect(tickWindow('2026-11-21T03:00:00Z', wrong, now)).toEqual({
      tick: '2026-11-21T03:00:00Z',
      since: '2026-11-20T03:00:00.000Z',
      isNewest: true,
    });
  });

  test('is 24 hours if the record of the last tick is lost: no merchant is left out', () => {
    expect(tickWindow('2026-11-21T03:00:00Z', 'lost', now)).toEqual({
      tick: '2026-11-21T03:00:00Z',
      since: '2026-11-20T03:00:00.000Z',
      isNewest: true,
    });
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
      let remembered: LastKnown = 'none';
      let time = Date.parse('2026-03-20T00:00:00Z');
      let covered: number | undefined;
      for (const { gap, repeats } of ticks) {
        const late = new Date(time).toISOString();
        time += gap * 15 * MINUTE;
        const tick = new Date(time).toISOString();
        const window = tickWindow(tick, remembered, time);
        expect(window.isNewest).toBe(true);
        if (covered !== undefined) expect(Date.parse(window.since)).toBe(covered);
        remembered = { tick: window.tick, since: window.since };
        covered = time;
        for (let repeat = 0; repeat < repeats; repeat += 1) {
          expect(tickWindow(tick, remembered, time)).toEqual({ ...remembered, isNewest: false });
          expect(tickWindow(late, remembered, time).isNewest).toBe(false);
        }
      }
    });
  });
});
