import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { readTransactions } from '#page/daily-report/pull/second-witness.ts';
import { DAY } from '#support/world/daybook-world.ts';

it('keeps no text of the rows, however long and however many pages', async () => {
  setFlagsFromString('--expose-gc');
  const heap = () => {
    runInNewContext('gc()');
    return process.memoryUsage().heapUsed;
  };
  const before = heap();
  let page = 0;
  let most = 0;
  const transactions = await readTransactions(
    {
      read: ({ schema }) => {
        page += 1;
        if (page === 100) most = heap() - before;
        const row = { status: 1, amount: '0.001', remarks: `${page}`.padEnd(1_000_000, 'x') };
        return Promise.resolve(schema.parse({ list: page > 100 ? [] : [row] }));
      },
    },
    '/transactions',
    DAY,
  );
  expect(transactions.all.value()).toEqual({ count: 100, amount: '0.100' });
  expect(most).toBeLessThan(20_000_000);
});

const ROW = { id: 1, status: 1, amount: '1.500' };

it.each<[string, unknown[], number]>([
  ['an empty one before it', [{ stats: [], data: [ROW] }], 1],
  ['names before it', [{ columns: ['id', 'status'], list: { data: [ROW] } }], 1],
  [
    'another one behind it, also when it ends',
    [
      { data: [ROW], types: [{}] },
      { data: [], types: [{}] },
    ],
    1,
  ],
  ['no row', [{ total: 0, data: [] }], 0],
])('finds the list with %s', async (_, pages, count) => {
  let page = 0;
  const { all } = await readTransactions(
    { read: ({ schema }) => Promise.resolve(schema.parse(pages[page++] ?? pages.at(-1))) },
    '/transactions',
    DAY,
  );
  expect(all.value().count).toBe(count);
});

it('has no list where there are only names', async () => {
  const client: Parameters<typeof readTransactions>[0] = {
    read: ({ schema }) => Promise.resolve(schema.parse({ data: [], columns: ['id'] })),
  };
  await expect(readTransactions(client, '/transactions', DAY)).rejects.toThrow('must be object');
});
