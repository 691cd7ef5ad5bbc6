import { expect, it } from 'vitest';
import { fanOutDefinition } from '#sandbox/step-functions/fan-out-definition.ts';
import { runFanOut } from '#sandbox/step-functions/run-fan-out.ts';
import { defined } from '#support/assertions/defined.ts';
import { recordOf } from '#support/assertions/record-of.ts';

const ITEMS = 'plan/daily/items.json';
const DAYS = Array.from({ length: 366 }, (_, index) =>
  new Date(Date.UTC(2026, 0, 1 + index)).toISOString().slice(0, 10),
);

/** In the first round `plan` has one merchant with 366 days; in the second it has nobody. */
async function backfill(report: (day: string) => unknown) {
  const objects = new Map<string, string>();
  const item = { merchantCode: 'M'.repeat(64), days: DAYS, send: false, scheduledTime: null };
  objects.set(ITEMS, JSON.stringify([item]));
  const execution = await runFanOut(
    fanOutDefinition('daily'),
    { kind: 'daily' },
    {
      read: (key) => Promise.resolve(defined(objects.get(key))),
      write: (key, text) => {
        objects.set(key, text);
        return Promise.resolve();
      },
      invoke: ({ functionName, event }) => {
        if (functionName === 'plan')
          return Promise.resolve({
            itemCount: 'failedOf' in event ? 0 : 1,
            itemsKey: ITEMS,
            own: { itemCount: 1, itemsKey: ITEMS, places: 40 },
            shared: { itemCount: 0, itemsKey: null, batches: 0 },
          });
        return Promise.resolve(report(String(event['day'])));
      },
    },
  );
  return defined(defined(execution.mapRuns[0]).children[0]);
}

it('a child of 366 days ends with all days in its result, far below 256 KiB', async () => {
  const { output } = await backfill((day) => ({ day, revision: 1, mail: { status: 'skipped' } }));
  expect(recordOf(output)['ended']).toHaveLength(366);
  expect(JSON.stringify(output).length).toBeLessThan(32 * 1024);
});

it('a child of 366 failing days ends with a cause that is short enough for Step Functions', async () => {
  const { error, cause } = await backfill(() => {
    throw Object.assign(new Error('x'.repeat(30_000)), { name: 'RefundListMissingError' });
  });
  expect(error).toBe('RefundListMissingError');
  expect(cause).toMatch(/^366 of 366 failed: \["2026-01-01: RefundListMissingError",/);
  // The longest cause is 32,768 characters.
  expect(defined(cause).length).toBeLessThan(16_384);
});
