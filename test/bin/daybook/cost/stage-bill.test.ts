import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fixed, secretsKept, totalOf } from '#bin/daybook/cost/model/cost.ts';
import type { CostLine } from '#bin/daybook/cost/model/cost.ts';
import { reportDuration, requestsOf } from '#bin/daybook/cost/stage-use.ts';
import { stageBill } from '#bin/daybook/cost/model/stage-bill.ts';
import type { StageUse } from '#bin/daybook/cost/model/stage-bill.ts';
import { rowsOf, sectionOf } from '#support/documentation/markdown.ts';

/** The stage of docs/deploy.md, "What it costs". */
const GUIDE: StageUse = {
  merchants: 1_000,
  days: 4_000,
  checkedMerchants: 1_000,
  mails: 1_000,
  mailsWithAttachments: 1_000,
  ticks: { daily: 96, alerts: 96, watch: 96, sweep: 24 },
  memory: { plan: 1_024, report: 512, check: 512, watch: 512, events: 256 },
  reportDuration: 3_000,
  reportsAtOnce: 50,
  checkDuration: 1_500,
  checksAtOnce: 20,
  secrets: 5,
  bytesADay: 138_000,
  kept: 400,
};

const guide = readFileSync(new URL('../../../../docs/deploy.md', import.meta.url), 'utf8');
const rows = rowsOf(sectionOf(guide, 'What it costs'), 'what').map(([what = '', , dollars = '']) => ({
  what: what.replaceAll('*', ''),
  dollars: Number(dollars.replaceAll('*', '')),
}));

describe('the bill of a stage', () => {
  const bill = stageBill(GUIDE);

  it.each(rows.filter(({ what }) => what !== 'together'))(
    'has the line of the deployment guide: $what',
    (row) => {
      const line = bill.find(({ what }) => what === row.what);
      // The guide rounds to cents. It leaves out the price of secrets that exist, seven cents for five.
      expect(line?.dollars).toBeGreaterThan(row.dollars - 0.011);
      expect(line?.dollars).toBeLessThan(row.dollars + (row.what === 'Secrets Manager' ? 0.08 : 0.011));
    },
  );

  it('has no line that the guide does not have, but the schedules', () => {
    const others = bill.filter(({ what }) => !rows.some((row) => row.what === what));
    expect(others.map(({ what }) => what)).toEqual(['EventBridge Scheduler']);
    expect(totalOf(others)).toBeLessThan(0.001);
  });

  it('is the sum of the guide', () => {
    const together = rows.find(({ what }) => what === 'together');
    expect(Math.abs(totalOf(bill) - (together?.dollars ?? 0))).toBeLessThan(0.1);
    const said = rows
      .filter(({ what }) => what !== 'together')
      .reduce((sum, { dollars }) => sum + dollars, 0);
    expect(together?.dollars).toBeCloseTo(said, 2);
  });

  it('is a month of the guide', () => {
    // The guide leaves out the price of secrets that exist.
    const month = (lines: readonly CostLine[]) =>
      Math.round((totalOf(lines) - secretsKept(GUIDE.secrets)) * 30);
    const said = sectionOf(guide, 'What it costs').replaceAll('\n', ' ');
    expect(said).toContain(`That is about ${month(bill)} dollars a month.`);
    const without = month(stageBill({ ...GUIDE, checkedMerchants: 0 }));
    expect(said).toContain(
      `1,000 merchants cost about ${without} dollars a month, ${Math.round(fixed() * 30)} of them fixed`,
    );
  });

  it('is little more than what is fixed for a stage without merchants', () => {
    const empty = {
      merchants: 0,
      days: 0,
      checkedMerchants: 0,
      mails: 0,
      mailsWithAttachments: 0,
      secrets: 0,
    };
    expect(totalOf(stageBill({ ...GUIDE, ...empty }))).toBeLessThan(0.95);
  });

  it('grows with what it counts', () => {
    for (const [name, value] of [
      ['merchants', 2_000],
      ['checkedMerchants', 2_000],
      ['mails', 2_000],
      ['reportDuration', 6_000],
      ['checkDuration', 3_000],
      ['bytesADay', 276_000],
      ['kept', 800],
      ['secrets', 10],
    ] as const) {
      expect(totalOf(stageBill({ ...GUIDE, [name]: value })), name).toBeGreaterThan(totalOf(bill));
    }
  });
});

describe('how long a day takes', () => {
  it('has a request for each page of each type, page one of a longer type again, and each refund', () => {
    expect(requestsOf({ invoices: 0, refunds: 0 })).toEqual({
      login: 1,
      invoices: 4,
      refundList: 1,
      refunds: 0,
    });
    expect(requestsOf({ invoices: 60, refunds: 2 })).toEqual({
      login: 1,
      invoices: 4,
      refundList: 1,
      refunds: 2,
    });
    expect(requestsOf({ invoices: 400, refunds: 8 })).toEqual({
      login: 1,
      invoices: 32,
      refundList: 1,
      refunds: 8,
    });
  });

  it('grows with its invoices and with the latency of the service', () => {
    const day = { invoices: 400, refunds: 8 };
    expect(reportDuration(day, 40, 512)).toBeGreaterThan(500);
    expect(reportDuration(day, 40, 512)).toBeLessThan(3_000);
    expect(reportDuration(day, 400, 512)).toBeGreaterThan(reportDuration(day, 40, 512) + 4 * 360);
    expect(reportDuration({ ...day, invoices: 40_000 }, 40, 512)).toBeGreaterThan(10_000);
  });
});
