import { GCProfiler, type HeapSpaceStatistics } from 'node:v8';
import { Spool } from '#page/daily-report/pull/spool.ts';
import { TableSpool } from '#page/daily-report/pull/pull-day.ts';
import { systemClock } from '#runtime/clock.ts';
import { PaymentsClient } from '#service/client.ts';
import { readDayInvoices } from '#service/invoices/day-invoices.ts';
import { defined } from '#support/assertions/index.ts';
import { serviceAt } from '#support/payments/running-service.ts';
import { readingTaskSchema, type WhatStays } from './what-stays.ts';

const TYPES = ['1', '0', '6', '7'];
/** Requests under way at once, as a pull has them. */
const CONCURRENCY = 16;
const DEADLINE = Date.now() + 60_000;

const { origin, merchant, day, warmUp } = readingTaskSchema.parse(JSON.parse(process.argv[2] ?? '{}'));
const { merchantCode, accessCode, cipher, username, password } = merchant;

const client = new PaymentsClient({
  merchantCode,
  ...serviceAt(origin),
  secret: {
    current: () =>
      Promise.resolve({ current: { accessCode, cipher, username, password }, previous: undefined }),
    beforeRotation: () => Promise.resolve(undefined),
  },
  maxConcurrency: CONCURRENCY,
  deadline: DEADLINE,
  now: Date.now,
  sleep: (milliseconds, signal) => systemClock.sleep(milliseconds, signal),
});

const profiler = new GCProfiler();
let done = 0;

/**
 * Notes one page, and measures from the end of the warm-up on. Before that it collects all garbage: what is under way
 * then gets into V8's old generation, and V8 then also keeps whatever it points to later.
 */
function note(): void {
  done += 1;
  if (done !== warmUp) return;
  defined(globalThis.gc)();
  profiler.start();
}

/** Reads a day and writes its rows, as a pull does. */
async function readDay(): Promise<void> {
  const spool = new Spool();
  const table = new TableSpool('invoices', spool, []);
  await readDayInvoices(client, day, TYPES, (fresh, queryType) => {
    note();
    return table.add(fresh, { merchantCode, day, queryType });
  });
  await spool.discard();
}

function usedBytes(spaces: readonly HeapSpaceStatistics[], name: string): number {
  return spaces.find(({ spaceName }) => spaceName === name)?.spaceUsedSize ?? 0;
}

await readDay();
const { statistics } = defined(profiler.stop());
client.close();

const result: WhatStays = { done, collections: 0, young: 0, promoted: 0 };
for (const { gcType, beforeGC, afterGC } of statistics) {
  if (gcType !== 'Scavenge') continue;
  const [before, after] = [beforeGC.heapSpaceStatistics, afterGC.heapSpaceStatistics];
  result.collections += 1;
  result.young += usedBytes(before, 'new_space');
  result.promoted += usedBytes(after, 'old_space') - usedBytes(before, 'old_space');
}
process.stdout.write(JSON.stringify(result));
