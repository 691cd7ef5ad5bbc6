import { expect, it } from 'vitest';
import { daysDone } from '#bin/daybook/backfill/follow-execution.ts';
import { defined } from '#support/assertions/defined.ts';

const START = Date.parse('2026-11-21T04:00:00.000Z');
const input = (merchants: string[] | undefined, from = '2026-11-01', to = '2026-11-04') =>
  JSON.stringify({ kind: 'daily', from, to, merchants });

/** Records of checks by merchant and day, and how often they were asked for. */
function records() {
  const at = new Map<string, string>();
  let reads = 0;
  return {
    check: (merchantCode: string, day: string, minute: number) =>
      at.set(`${merchantCode} ${day}`, new Date(START + minute * 60_000).toISOString()),
    reads: () => reads,
    lastCheck: (merchantCode: string, day: string) => {
      reads += 1;
      if (merchantCode === 'broken') return Promise.reject(new Error('unreadable'));
      const checkedAt = at.get(`${merchantCode} ${day}`);
      return Promise.resolve(checkedAt === undefined ? undefined : { checkedAt });
    },
  };
}

it('counts the days with a record since the start, merchant by merchant', async () => {
  const checks = records();
  const days = defined(daysDone(checks, input(['a', 'b']), START));
  expect(days.total).toBe(8);
  checks.check('a', '2026-11-01', -5);
  expect(await days.count()).toBe(0);
  checks.check('a', '2026-11-01', 1);
  checks.check('b', '2026-11-01', 1);
  checks.check('b', '2026-11-02', 2);
  expect(await days.count()).toBe(3);
});

it('goes past a day whose run left no record', async () => {
  const checks = records();
  const days = defined(daysDone(checks, input(['a']), START));
  checks.check('a', '2026-11-02', 1);
  expect(await days.count()).toBe(2);
});

it('asks only for days that are not known to be done', async () => {
  const checks = records();
  const days = defined(daysDone(checks, input(['a'], '2025-12-01', '2026-11-30'), START));
  checks.check('a', '2025-12-01', 1);
  await days.count();
  const before = checks.reads();
  await days.count();
  expect(checks.reads() - before).toBe(2);
});

it('counts nothing of a merchant whose records cannot be read', async () => {
  expect(await defined(daysDone(records(), input(['broken']), START)).count()).toBe(0);
});

it.each([
  ['all merchants', input(undefined)],
  ['very many merchants', input(Array.from({ length: 21 }, (_, index) => String(index)))],
  ['a tick', '{"kind":"daily"}'],
  ['no input', undefined],
])('leaves an execution for %s to Step Functions', (_, given) => {
  expect(daysDone(records(), given, START)).toBeUndefined();
});
