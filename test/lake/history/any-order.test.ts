import * as fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { HistoryLake, daysStatements, sliceOf } from '#support/lake/history-lake.ts';
import { LakePages } from '#support/lake/lake-pages.ts';
import { expectDaysAreNotAhead, expectHistoryIsLatest } from '#support/lake/same-rows.ts';

const SLICES = [['2026-10-30', '2026-10-31', '2026-11-01'], ['2026-11-02']];
const DAYS = SLICES.flat();
const AT = '2026-11-03T03:00:00Z';
const MERGED_AT = '2026-11-03T10:00:00Z';

const lake = await HistoryLake.start({ today: '2026-11-03', firstDay: '2026-10-25' });
const pages = new LakePages(lake.put);
afterAll(() => lake.close());

const seals = fc.record({
  kind: fc.constant('seal' as const),
  merchant: fc.nat(2),
  day: fc.constantFrom(...DAYS),
  size: fc.record({ invoices: fc.nat(3), refunds: fc.nat(2) }),
});
/** A merge that ends after some of its statements. */
const merges = fc.record({
  kind: fc.constant('merge' as const),
  days: fc.constantFrom(...SLICES, DAYS),
  statements: fc.integer({ min: 1, max: 4 }),
});

it('seals and merges in any order, each of which may die, end in the same rows', async () => {
  // Each case continues with the lake of the case before.
  const lives = fc.array(fc.oneof(seals, merges), { minLength: 4, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(lives, async (steps) => {
      for (const step of steps) {
        if (step.kind === 'seal') await pages.seal(step.merchant, step.day, { at: AT, size: step.size });
        else await lake.runAll(daysStatements(sliceOf(step.days), MERGED_AT).slice(0, step.statements));
      }
      await expectDaysAreNotAhead(lake);
      for (const days of SLICES.toReversed()) await lake.runAll(daysStatements(sliceOf(days), MERGED_AT));
      await expectHistoryIsLatest(lake);
    }),
    { numRuns: 2, endOnFailure: true },
  );
  const sealed = await lake.query('SELECT count(*) AS pages FROM days_history');
  expect(Number(sealed[0]?.['pages'])).toBeGreaterThan(0);
});
