import { hoursOfSilence } from '#lib/schedule.ts';
import { fc, forAll } from '#support/assertions/index.ts';

describe('a schedule has stopped after', () => {
  it.each([
    ['rate(15 minutes)', 3],
    ['rate(6 hours)', 8],
    ['rate(1 day)', 26],
    ['cron(0/15 * * * ? *)', 3],
    ['cron(20 * * * ? *)', 3],
    // From 17:45 to 8:00: 14 hours and a quarter.
    ['cron(0/15 8-17 * * ? *)', 17],
    // From Friday 17:45 to Sunday 8:00.
    ['cron(0/15 8-17 ? * SUN-FRI *)', 41],
    ['cron(0/15 8-17 ? * 1-6 *)', 41],
    // From Thursday 12:00 to Sunday 12:00.
    ['cron(0 12 ? * SUN-THU *)', 74],
    ['cron(0 12 ? * SAT-WED *)', 74],
    ['cron(0 12 ? * MON,THU *)', 98],
    ['rate(166 hours)', 168],
  ])('%s: %i hours without a run', (expression, hours) => {
    expect(hoursOfSilence(expression)).toBe(hours);
  });

  it.each(['rate(7 days)', 'rate(167 hours)', 'cron(0 12 ? * FRI *)'])(
    '%s: more than the seven days that an alarm can look back',
    (expression) => {
      expect(hoursOfSilence(expression)).toBeUndefined();
    },
  );

  it.each([
    'cron(0 12 1 * ? *)',
    'cron(0 12 ? * 6#3 *)',
    'cron(0 12 L * ? *)',
    'cron(0 12 * JAN ? *)',
    'cron(0 12 * * ? 2027)',
    'cron(0 25 * * ? *)',
    'at(2026-11-21T00:00:00)',
    '',
  ])('%j: not the same pauses every week', (expression) => {
    expect(hoursOfSilence(expression)).toBeUndefined();
  });

  it('more than its longest pause, whatever its hours and days', () => {
    const some = (last: number, first = 0) =>
      fc.uniqueArray(fc.integer({ min: first, max: last }), { minLength: 1 });
    forAll([some(59), some(23), some(7, 1)], { numRuns: 30 }, (minutes, hours, days) => {
      const silence = hoursOfSilence(`cron(${minutes.join()} ${hours.join()} ? * ${days.join()} *)`);
      if (silence === undefined) return;
      // Walks through two weeks, minute by minute.
      let quiet = 0;
      let longest = 0;
      for (let minute = 0; minute < 2 * 10_080; minute++) {
        const runs =
          minutes.includes(minute % 60) &&
          hours.includes(Math.floor(minute / 60) % 24) &&
          days.includes((Math.floor(minute / 1_440) % 7) + 1);
        quiet = runs ? 0 : quiet + 1;
        longest = Math.max(longest, quiet);
      }
      expect(longest).toBeLessThan((silence - 1) * 60);
    });
  });
});
