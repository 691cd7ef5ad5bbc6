import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Slots } from '#service/sending/sender.ts';
import { fc, forAllAsync } from '#support/assertions/for-all.ts';

it('tasks free their slots when they fail before they wait for anything', async () => {
  const slots = new Slots(1);
  const failing = () => {
    throw new Error('at once');
  };
  const settled = await Promise.allSettled([slots.run(failing), slots.run(failing)]);
  expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(slots.active).toBe(0);
  expect(await slots.run(() => Promise.resolve('runs'))).toBe('runs');
});

describe('any tasks and any numbers of slots', () => {
  const limit = fc.integer({ min: 1, max: 6 });
  /** A task takes some turns, then sets the limit or not, as requests do, and fails or not. */
  const task = fc.record({ turns: fc.nat({ max: 4 }), fails: fc.boolean(), sets: fc.option(limit) });
  const step = fc.oneof(
    { weight: 4, arbitrary: task },
    { weight: 1, arbitrary: fc.record({ limit }) },
    { weight: 2, arbitrary: fc.record({ pause: fc.integer({ min: 1, max: 3 }) }) },
  );

  it('lose no slot: all tasks run, in order, and never more than the greatest number of slots', async () => {
    const steps = fc.array(step, { maxLength: 30 });
    await forAllAsync([limit, steps], async (first, list) => {
      const slots = new Slots(first);
      let greatest = first;
      let running = 0;
      const begun: number[] = [];
      const results: Promise<string>[] = [];
      const turns = async (count: number) => {
        for (let turn = 0; turn < count; turn += 1) {
          await nextTurn();
          // No task has begun before an earlier one. Within one turn, a new task may begin before one that waited.
          expect(Math.max(-1, ...begun)).toBe(begun.length - 1);
        }
      };
      const set = (concurrency: number) => {
        greatest = Math.max(greatest, concurrency);
        slots.concurrency = concurrency;
      };
      for (const one of list) {
        if ('pause' in one) await turns(one.pause);
        else if ('limit' in one) set(one.limit);
        else {
          const number = results.length;
          const result = slots.run(async () => {
            begun.push(number);
            running += 1;
            expect(running).toBeLessThanOrEqual(greatest);
            expect(slots.active).toBeGreaterThanOrEqual(running);
            await turns(one.turns);
            if (one.sets !== null) set(one.sets);
            running -= 1;
            if (one.fails) throw new Error('failed');
            return 'done';
          });
          result.catch(() => undefined);
          results.push(result);
        }
      }
      const settled = await Promise.allSettled(results);
      const wanted = list.flatMap((one) => ('fails' in one ? [one.fails ? 'rejected' : 'fulfilled'] : []));
      expect(settled.map(({ status }) => status)).toEqual(wanted);
      expect(begun).toHaveLength(results.length);
      expect(slots.active).toBe(0);
    });
  });
});
