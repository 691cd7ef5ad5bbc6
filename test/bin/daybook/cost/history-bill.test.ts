import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { totalOf } from '#bin/daybook/cost/model/cost.ts';
import { historyBill, historyBytes, mergedObjects, scanned } from '#bin/daybook/cost/model/history-bill.ts';
import { PRICES } from '#bin/daybook/cost/model/prices.ts';

const use = { merchants: 1_000, daysEach: 4, bytesADay: 138_000, kept: 400 };

describe('the bill of the history', () => {
  it('counts the objects and bytes that a daily merge reads', () => {
    // Four manifests, two files of records and a ledger of each page, a tenth of them twice.
    expect(mergedObjects(use)).toBeCloseTo(1_000 * 4 * 1.1 * 7);
    const { merged, optimised, parquetADay } = historyBytes(use);
    expect(merged - optimised).toBeCloseTo(1_000 * 4 * 1.1 * (4 * 8_500 + 0.6 * 138_000 + 1_500));
    expect(parquetADay).toBeCloseTo(1_000 * 0.6 * 138_000 * 0.66);
  });

  it('charges at least ten megabytes for a statement', () => {
    expect(scanned(1_000_000_000_000)).toBe(5);
    expect(scanned(0, 100)).toBeCloseTo(0.005);
  });

  it('grows with merchants, days and sizes, and is some cents for an empty stage', () => {
    const bill = totalOf(historyBill(use));
    for (const [name, value] of [
      ['merchants', 2_000],
      ['daysEach', 5],
      ['bytesADay', 276_000],
      ['kept', 800],
    ] as const) {
      expect(totalOf(historyBill({ ...use, [name]: value })), name).toBeGreaterThan(bill);
    }
    expect(totalOf(historyBill({ ...use, merchants: 0, daysEach: 0 }))).toBeLessThan(0.04);
  });

  it('has the prices of the deployment guide', () => {
    const guide = readFileSync(new URL('../../../../docs/deploy.md', import.meta.url), 'utf8');
    expect(guide).toContain('5.00 for each TB');
    expect(guide).toContain('10 MB');
    expect(PRICES.athenaByte * 1e12).toBe(5);
    expect(PRICES.athenaLeastBytes).toBe(10e6);
  });
});
