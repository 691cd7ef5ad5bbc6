import { setImmediate as nextTurn } from 'node:timers/promises';
import { inOrder, type Turn } from '#service/in-order.ts';
import { fc, forAllAsync } from '#support/assertions/index.ts';

const unhandled: unknown[] = [];
const note = (reason: unknown) => void unhandled.push(reason);

beforeEach(() => {
  unhandled.length = 0;
  process.on('unhandledRejection', note);
});

afterEach(async () => {
  await nextTurn();
  await nextTurn();
  process.off('unhandledRejection', note);
  expect(unhandled).toEqual([]);
});

async function waitTurns(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await nextTurn();
}

it('returns results in the order of tasks and never runs more tasks than the window', async () => {
  const tasksOf = fc.array(fc.nat(6), { maxLength: 30 });
  await forAllAsync([tasksOf, fc.integer({ min: 1, max: 8 })], { numRuns: 40 }, async (turns, window) => {
    let running = 0;
    let most = 0;
    const tasks = turns.map((count, index) => async () => {
      running += 1;
      most = Math.max(most, running);
      await waitTurns(count);
      running -= 1;
      return index;
    });
    expect(await Array.fromAsync(inOrder(tasks, () => window))).toEqual(turns.map((_, index) => index));
    expect(most).toBeLessThanOrEqual(window);
  });
});

it('holds no more results than the window while nobody reads them', async () => {
  let started = 0;
  const tasks = Array.from({ length: 20 }, (_, index) => () => {
    started += 1;
    return Promise.resolve(index);
  });
  const results = inOrder(tasks, () => 3);
  await results.next();
  await waitTurns(5);
  expect(started).toBe(3);
  await results.next();
  await waitTurns(5);
  expect(started).toBe(4);
  await results.return(undefined);
});

it('runs tasks that are known only when an earlier task has its result', async () => {
  let known = 1;
  function* tasks() {
    for (let name = 0; name < 3; name += 1) {
      while (name >= known) yield undefined;
      yield async () => {
        await nextTurn();
        known += 1;
        return name;
      };
    }
  }
  expect(await Array.fromAsync(inOrder(tasks(), () => 2))).toEqual([0, 1, 2]);
});

it('tells a task when everything before it has been read', async () => {
  const taken: number[] = [];
  const tasks = [0, 1, 2, 3].map((name) => async (turn: Turn) => {
    await turn();
    return { name, before: [...taken] };
  });
  for await (const { name, before } of inOrder(tasks, () => 4)) {
    expect(before).toEqual([0, 1, 2, 3].slice(0, name));
    await waitTurns(3);
    taken.push(name);
  }
  expect(taken).toHaveLength(4);
});

it('throws a failure when its turn comes, and starts no further task', async () => {
  let started = 0;
  const tasks = Array.from({ length: 10 }, (_, index) => async () => {
    started += 1;
    await waitTurns(index === 2 ? 0 : 3);
    if (index === 2) throw new Error('the third');
    return index;
  });
  const seen: number[] = [];
  const reading = async () => {
    for await (const result of inOrder(tasks, () => 3)) seen.push(result);
  };
  await expect(reading()).rejects.toThrow('the third');
  expect(seen).toEqual([0, 1]);
  expect(started).toBe(5);
});

it('leaves no failure unhandled when the reader has stopped', async () => {
  const tasks = ['a', 'b', 'c'].map((name, index) => async () => {
    await waitTurns(index * 3);
    if (index > 0) throw new Error(name);
    return name;
  });
  for await (const result of inOrder(tasks, () => 3)) {
    expect(result).toBe('a');
    break;
  }
  await waitTurns(10);
});

it('passes on errors of the task list, and closes the list', async () => {
  let closed = false;
  function* tasks() {
    try {
      yield () => Promise.resolve(1);
      throw new Error('no more tasks');
    } finally {
      closed = true;
    }
  }
  await expect(Array.fromAsync(inOrder(tasks(), () => 4))).rejects.toThrow('no more tasks');
  expect(closed).toBe(true);
});
