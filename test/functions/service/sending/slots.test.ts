import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Slots } from '#service/sending/sender.ts';
import { fc, forAllAsync } from '#support/assertions/for-all.ts';

/** Tasks that end when the test says so. */
class Tasks {
  readonly slots: Slots;
  /** The names of all tasks that have begun, in order. */
  readonly begun: string[] = [];
  readonly #ends = new Map<string, PromiseWithResolvers<string>>();

  constructor(concurrency: number) {
    this.slots = new Slots(concurrency);
  }

  /** What becomes of the tasks, in their order. */
  run(...names: string[]): Promise<PromiseSettledResult<string>[]> {
    const results = names.map((name) => {
      const end = Promise.withResolvers<string>();
      this.#ends.set(name, end);
      return this.slots.run(() => {
        this.begun.push(name);
        return end.promise;
      });
    });
    return Promise.allSettled(results);
  }

  /** Ends a task, and waits until others have begun in its place. */
  async end(name: string): Promise<void> {
    this.#ends.get(name)?.resolve(`result of ${name}`);
    await nextTurn();
  }

  /** The same with an error. */
  async fail(name: string): Promise<void> {
    this.#ends.get(name)?.reject(new Error(`error of ${name}`));
    await nextTurn();
  }
}

describe('tasks', () => {
  it('begin at once while there are free slots, and wait in order when there are none', async () => {
    const tasks = new Tasks(2);
    void tasks.run('a', 'b', 'c', 'd');
    expect(tasks.begun).toEqual(['a', 'b']);
    await tasks.end('b');
    expect(tasks.begun).toEqual(['a', 'b', 'c']);
    await tasks.end('a');
    expect(tasks.begun).toEqual(['a', 'b', 'c', 'd']);
  });

  it('free their slots when they fail before they wait for anything', async () => {
    const slots = new Slots(1);
    const failing = () => {
      throw new Error('at once');
    };
    const settled = await Promise.allSettled([slots.run(failing), slots.run(failing)]);
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(slots.active).toBe(0);
    expect(await slots.run(() => Promise.resolve('runs'))).toBe('runs');
  });
});

describe('another number of slots', () => {
  it('lets more tasks begin when a running task ends', async () => {
    const tasks = new Tasks(1);
    void tasks.run('a', 'b', 'c', 'd', 'e');
    tasks.slots.concurrency = 3;
    await tasks.end('a');
    expect(tasks.begun).toEqual(['a', 'b', 'c', 'd']);
    expect(tasks.slots.active).toBe(3);
  });

  it('lets no new task begin before those that wait', async () => {
    const tasks = new Tasks(1);
    void tasks.run('a', 'b', 'c');
    tasks.slots.concurrency = 2;
    void tasks.run('d');
    await nextTurn();
    expect(tasks.begun).toEqual(['a', 'b']);
  });

  it('holds tasks back until fewer run', async () => {
    const tasks = new Tasks(3);
    void tasks.run('a', 'b', 'c', 'd', 'e');
    tasks.slots.concurrency = 1;
    await tasks.end('a');
    await tasks.end('b');
    expect(tasks.begun).toEqual(['a', 'b', 'c']);
    await tasks.end('c');
    expect(tasks.begun).toEqual(['a', 'b', 'c', 'd']);
    await tasks.end('d');
    expect(tasks.begun).toEqual(['a', 'b', 'c', 'd', 'e']);
  });
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
