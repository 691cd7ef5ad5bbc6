import { fewDays, timeToGo } from '#bin/daybook/backfill/follow-backfill.ts';
import { defined } from '#support/assertions/index.ts';

const START = Date.parse('2026-11-21T04:00:00Z');
const RANGE = { scheduledTime: '2026-11-21T04:00:00Z', from: '2026-11-01', to: '2026-11-04' };

function records() {
  const pulls = new Map<string, { checkedAt: string; outcome: 'sealed' | 'failed' }>();
  let reads = 0;
  return {
    pull: (merchantCode: string, day: string, minute: number, outcome: 'sealed' | 'failed' = 'sealed') => {
      const checkedAt = new Date(START + minute * 60_000).toISOString();
      pulls.set(`${merchantCode} ${day}`, { checkedAt, outcome });
    },
    reads: () => reads,
    lastCheck: (merchantCode: string, day: string) => {
      reads += 1;
      if (merchantCode === 'broken') return Promise.reject(new Error('unreadable'));
      return Promise.resolve(pulls.get(`${merchantCode} ${day}`));
    },
  };
}

const daysOf = (checks: ReturnType<typeof records>, codes: string[], range = RANGE) =>
  defined(fewDays(checks, range, codes));

it('counts the days with a record since the start, merchant by merchant', async () => {
  const checks = records();
  const days = daysOf(checks, ['a', 'b', 'broken']);
  expect(days.total).toBe(12);
  checks.pull('a', '2026-11-01', -5);
  expect(await days.count()).toBe(0);
  checks.pull('a', '2026-11-01', 1);
  checks.pull('b', '2026-11-01', 1);
  checks.pull('b', '2026-11-02', 2);
  expect(await days.count()).toBe(3);
});

it('is complete when every day was pulled, and none failed', async () => {
  const checks = records();
  const days = daysOf(checks, ['a'], { ...RANGE, to: '2026-11-02' });
  checks.pull('a', '2026-11-01', 1);
  await days.count();
  expect(days.isComplete()).toBe(false);
  checks.pull('a', '2026-11-02', 2);
  await days.count();
  expect(days.isComplete()).toBe(true);

  checks.pull('b', '2026-11-01', 1);
  checks.pull('b', '2026-11-02', 2, 'failed');
  const failed = daysOf(checks, ['b'], { ...RANGE, to: '2026-11-02' });
  expect(await failed.count()).toBe(2);
  expect(failed.isComplete()).toBe(false);
  expect(await failed.untouched()).toEqual([]);
});

it('goes past a day whose run left no record', async () => {
  const checks = records();
  const days = daysOf(checks, ['a']);
  checks.pull('a', '2026-11-02', 1);
  checks.pull('a', '2026-11-04', 1);
  expect(await days.count()).toBe(4);
  expect(days.isComplete()).toBe(false);
});

it('asks only for days that are not known to be done', async () => {
  const checks = records();
  const days = daysOf(checks, ['a'], { ...RANGE, from: '2025-12-01', to: '2026-11-30' });
  checks.pull('a', '2025-12-01', 1);
  await days.count();
  const before = checks.reads();
  await days.count();
  expect(checks.reads() - before).toBe(2);
});

const MINUTE = 60_000;

it.each([
  [0, 10, MINUTE, undefined],
  [1, 10, -1, undefined],
  [10, 10, MINUTE, undefined],
  [5, 10, MINUTE, 'about 1 min to go'],
  [1, 10, MINUTE, 'about 9 min to go'],
  [1, 100, 2 * MINUTE, 'about 3 h 18 min to go'],
  [9, 10, 30_000, 'less than a minute to go'],
])('%d of %d in %d ms: %s', (done, total, elapsed, words) => {
  expect(timeToGo(done, total, elapsed)).toBe(words);
});
