import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { PARTS, SHIFTS, partOfDay, secondsAhead, shiftOfDay } from '#scripts/shifted-date.ts';

const NOW = Date.parse('2026-11-22T12:00:00Z');
const DAY = 24 * 60 * 60_000;
const COMMAND = join(import.meta.dirname, '../../scripts/test-dates.ts');

/** The output of the command when no other program can be found. */
function command(...args: string[]): { status: number | null; out: string; complaints: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [COMMAND, ...args], {
    encoding: 'utf8',
    env: { PATH: '/nowhere' },
  });
  return { status, out: stdout, complaints: stderr.replace(/^\(.*\n/gm, '') };
}

describe('a shift', () => {
  it.each([
    ['+1d', 86_400],
    ['-3h', -10_800],
    ['+90m', 5_400],
    ['2026-11-22T12:00:30Z', 30],
    ['2026-11-22T11:59Z', -60],
  ])('%s is that many seconds', (to, seconds) => {
    expect(secondsAhead(to, NOW)).toBe(seconds);
  });

  it.each(['', '1d', '+1w', '+1d ', '2026-11-22', 'tomorrow', '2026-13-01T00:00:00Z'])(
    'refuses "%s"',
    (to) => {
      expect(() => secondsAhead(to, NOW)).toThrow(RangeError);
    },
  );

  it('of each kind meets each part of the tests within five weeks, even at the end of a year', () => {
    for (const begin of [NOW, Date.parse('2026-12-25T00:00:00Z')]) {
      const days = Array.from({ length: PARTS * SHIFTS.length }, (_, day) => begin + day * DAY);
      const met = new Set(days.map((day) => `${shiftOfDay(day).to} part ${partOfDay(day)}`));
      expect(met.size).toBe(PARTS * SHIFTS.length);
      expect(new Set(days.map(partOfDay))).toEqual(new Set([1, 2, 3, 4, 5]));
    }
  });

  it('can be read when it is in the table', () => {
    for (const { to } of SHIFTS) expect(secondsAhead(to, NOW)).toBeGreaterThan(0);
  });
});

it.each([
  [['+1w'], 'dates: "+1w" is not a shift'],
  [['--zone', 'Nowhere'], 'dates: Invalid time zone'],
  [['+1d'], 'dates: faketime is missing: apt-get install faketime'],
])('npm run test:dates ends with status 2 and the reason when it is started with %j', (args, why) => {
  const { status, out, complaints } = command(...args);
  expect({ status, out }).toEqual({ status: 2, out: '' });
  expect(complaints).toContain(why);
});
