import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runsADay } from '#bin/daybook/cost/tick-counts.ts';

describe('a schedule runs in a day', () => {
  it.each([
    ['rate(15 minutes)', 96],
    ['rate(1 hour)', 24],
    ['rate(6 hours)', 4],
    ['rate(1 day)', 1],
    ['cron(0/15 * * * ? *)', 96],
    ['cron(10/30 * * * ? *)', 48],
    ['cron(20 * * * ? *)', 24],
    ['cron(0,30 6-9 * * ? *)', 8],
    ['cron(*/20 0/6 ? * MON-FRI *)', 12],
    ['cron(0-10/5 12 * * ? *)', 3],
  ])('%s: %i times', (expression, times) => {
    expect(runsADay(expression)).toBe(times);
  });

  it.each(['', 'at(2026-11-21T00:00:00)', 'cron(* *)', 'rate(x minutes)', 'cron(60 * * * ? *)'])(
    '%j: not known',
    (expression) => {
      expect(runsADay(expression)).toBeUndefined();
    },
  );

  it('at most once a minute, whatever the expression says', () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^[\d*,/-]{1,12}$/),
        fc.stringMatching(/^[\d*,/-]{1,12}$/),
        (minute, hour) => {
          const runs = runsADay(`cron(${minute} ${hour} * * ? *)`);
          if (runs === undefined) return;
          expect(runs).toBeGreaterThanOrEqual(1);
          expect(runs).toBeLessThanOrEqual(1_440);
        },
      ),
    );
  });
});
