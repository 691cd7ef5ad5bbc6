import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { tickWindow } from '#functions/plan/tick-window.ts';
import type { LastKnown } from '#functions/plan/tick-window.ts';

const MINUTE = 60_000;
const now = Date.parse('2026-11-21T03:00:05Z');
const last = { tick: '2026-11-21T02:45:00Z', since: '2026-11-21T02:30:00.000Z' };

describe('the window of a tick', () => {
  test('the first one ever has fifteen minutes', () => {
    expect(tickWindow('2026-11-21T03:00:00Z', 'none', now)).toEqual({
      tick: '2026-11-21T03:00:00Z',
      since: '2026-11-21T02:45:00.000Z',
      isNewest: true,
    });
  });

  test('goes on from the last one, so that missed ticks are made up for', () => {
    const window = tickWindow('2026-11-21T06:00:00Z', last, now);
    expect(window).toEqual({
      tick: '2026-11-21T06:00:00Z',
      since: '2026-11-21T02:45:00.000Z',
      isNewest: true,
    });
  });

  test('reaches back 24 hours at most', () => {
    const window = tickWindow('2026-11-30T06:00:00Z', last, Date.parse('2026-11-30T06:00:01Z'));
    expect(window.since).toBe('2026-11-29T06:00:00.000Z');
  });

  test('the same tick again, however it is written, has the same window and is not remembered anew', () => {
    const window = tickWindow('2026-11-21T02:45:00.000Z', last, now);
    expect(window).toEqual({ tick: '2026-11-21T02:45:00.000Z', since: last.since, isNewest: false });
  });

  test('a tick that comes late has fifteen minutes and is not remembered', () => {
    expect(tickWindow('2026-11-21T01:00:00Z', last, now)).toEqual({
      tick: '2026-11-21T01:00:00Z',
      since: '2026-11-21T00:45:00.000Z',
      isNewest: false,
    });
  });

  test('a remembered tick of next year does not hold up the schedule', () => {
    const wrong = { tick: '2027-11-21T02:45:00Z', since: '2027-11-21T02:30:00.000Z' };
    // Whatever was missed before somebody wrote that is made up for.
    expect(tickWindow('2026-11-21T03:00:00Z', wrong, now)).toEqual({
      tick: '2026-11-21T03:00:00Z',
      since: '2026-11-20T03:00:00.000Z',
      isNewest: true,
    });
  });

  test('where the last tick is lost, is 24 hours: nobody is left out', () => {
    expect(tickWindow('2026-11-21T03:00:00Z', 'lost', now)).toEqual({
      tick: '2026-11-21T03:00:00Z',
      since: '2026-11-20T03:00:00.000Z',
      isNewest: true,
    });
  });

  test.each([
    ['years ago', '2019-01-01T00:00:00Z', '2026-11-20T02:45:00.000Z'],
    ['after it ended', '2026-11-22T00:00:00Z', '2026-11-21T02:45:00.000Z'],
  ])('never begins %s, whatever is remembered', (_, since, expected) => {
    expect(tickWindow(last.tick, { ...last, since }, now).since).toBe(expected);
  });

  test('ticks missed, repeated and late cover all of the time, and the newest ones no moment twice', () => {
    const tickTimes = fc.array(
      fc.record({ gap: fc.integer({ min: 1, max: 96 }), repeats: fc.integer({ min: 0, max: 2 }) }),
      { minLength: 1, maxLength: 40 },
    );
    fc.assert(
      fc.property(tickTimes, (ticks) => {
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
      }),
    );
  });
});
