import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { readTransactions } from '#service/transaction-list.ts';
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
