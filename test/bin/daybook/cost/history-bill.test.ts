import { describe, expect, it } from 'vitest';
import { totalOf } from '#bin/daybook/cost/model/cost.ts';
import {
  GROUP,
  STATEMENTS,
  TRANSITIONS,
  groupBill,
  historyBill,
  historyBytes,
  mergedObjects,
  scanned,
} from '#bin/daybook/cost/model/history-bill.ts';
import { PRICES } from '#bin/daybook/cost/model/prices.ts';
import { textOf } from '#support/documentation/documents.ts';

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

  it('charges the copy of a group by its merchants, and by the parts of the history that they are in', () => {
    const month = (merchants: number, of = 1_000) =>
      30 * totalOf(groupBill({ ...use, merchants: of }, merchants));
    const guide = textOf('docs/deploy.md').replaceAll('\n', ' ');
    expect(guide).toContain(
      `With all of these 1,000 merchants it costs about ${month(1_000).toFixed(2)} dollars a month, and with 100 of them ${month(100).toFixed(2)}.`,
    );
    expect(guide).toContain(`With 100 of 10,000 merchants it is ${month(100, 10_000).toFixed(2)}:`);
    expect(month(1, 10_000)).toBeLessThan(month(100, 10_000) / 5);
    expect(month(0)).toBeLessThan(0.05);
  });

  it('has the transitions and statements that the documents have', () => {
    const [deploy, scale] = ['docs/deploy.md', 'docs/scale.md'].map((name) =>
      textOf(name).replaceAll('\n', ' '),
    );
    const { look, merge, views } = TRANSITIONS;
    expect(deploy).toContain(`(24 × ${look} + ${merge} + 8 × ${views}) transitions`);
    expect(deploy).toContain(
      `${24 * STATEMENTS.look + STATEMENTS.merge + 8 * STATEMENTS.views} statements of 10 MB`,
    );
    expect(deploy).toContain(
      `${look} transitions, and ${merge} of the daily run. To replace the views takes ${views} more, and one statement.`,
    );
    expect(deploy).toContain(`${GROUP.transitions} transitions and ${GROUP.statements} statements a day`);
    expect(scale).toContain(`An hourly look of the state machine has ${look} transitions`);
    expect(scale).toContain(`one slice of days and one of mail has ${merge}.`);
    expect(scale).toContain(
      `replaces the views, ${views} are added. The copy of a group adds ${GROUP.transitions}`,
    );
  });

  it('has the prices of the deployment guide', () => {
    const guide = textOf('docs/deploy.md');
    expect(guide).toContain('5.00 for each TB');
    expect(guide).toContain('10 MB');
    expect(PRICES.athenaByte * 1e12).toBe(5);
    expect(PRICES.athenaLeastBytes).toBe(10e6);
  });
});
