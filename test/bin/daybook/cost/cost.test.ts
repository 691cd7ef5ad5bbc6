import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { reportChildren, usualChildren } from '#bin/daybook/cost/model/children.ts';
import { FIXED, dailyCost, totalOf } from '#bin/daybook/cost/model/cost.ts';
import { PRICES } from '#bin/daybook/cost/model/prices.ts';
import { defined } from '#support/assertions/defined.ts';

const usage = {
  daysEach: 4,
  children: usualChildren(1_000, 4, 50, 3_000),
  lambda: [{ memory: 512, duration: 4_000 * 3_000 }],
  invocations: 4_000,
  s3Writes: 16_000,
  s3Reads: 12_000,
  mails: 1_000,
  secretReads: 10_000,
  secrets: 5,
  bytesStored: 138_000 * 1_000,
  kept: 400,
  logBytes: 7_200_000,
};

describe('the bill of a day', () => {
  const dollars = new Map(dailyCost(usage).map((line) => [line.what, line.dollars]));

  it('has the amounts that the deployment guide states for the same use', () => {
    expect(dollars.get('Lambda, time')).toBeCloseTo(0.08, 2);
    expect(dollars.get('Step Functions')).toBeCloseTo(0.03, 2);
    expect(defined(dollars.get('S3, PUT and LIST')) + defined(dollars.get('S3, GET'))).toBeCloseTo(0.08, 2);
    expect(dollars.get('S3, storage of 400 days')).toBeCloseTo(0.04, 2);
    expect(dollars.get('SES')).toBeCloseTo(0.16, 2);
    expect(dollars.get('Secrets Manager, calls')).toBeCloseTo(0.05, 2);
    expect(dollars.get('Metrics, alarms, dashboard, key')).toBeCloseTo(0.85, 2);
  });

  it('is the sum of its lines', () => {
    expect(totalOf(dailyCost(usage))).toBeCloseTo([...dollars.values()].reduce((a, b) => a + b, 0));
  });

  it('counts a child of four days as nine transitions, and a shared one as its start, a request and its time', () => {
    const children = { own: 1_000, shared: 0, sharedTime: 0 };
    expect(reportChildren(children, 4)).toBeCloseTo(9_000 * PRICES.stateTransition);
    // Half a step of 100 ms is added to each.
    const time = 1_000 * 9_950;
    const seconds = 10_000 * 0.0625 * PRICES.expressGbSecond;
    expect(reportChildren({ own: 0, shared: 1_000, sharedTime: time }, 4)).toBeCloseTo(
      1_000 * (PRICES.stateTransition + PRICES.expressRequest) + seconds,
    );
  });

  it('takes it that children are shared where there are ten places and few days', () => {
    expect(usualChildren(1_000, 4, 50, 1_000)).toEqual({ own: 50, shared: 190, sharedTime: 760_000 });
    const alone = { own: 1_000, shared: 0, sharedTime: 0 };
    expect(usualChildren(1_000, 4, 9, 1_000)).toEqual(alone);
    expect(usualChildren(1_000, 5, 50, 1_000)).toEqual(alone);
  });
});

describe('the prices', () => {
  it('are the prices in the deployment guide', () => {
    const guide = readFileSync(new URL('../../../../docs/deploy.md', import.meta.url), 'utf8');
    for (const [price, text] of [
      [PRICES.lambdaGbSecond, '0.0000133334'],
      [PRICES.lambdaRequest * 1_000_000, '0.20 / 1,000,000'],
      [PRICES.stateTransition * 1_000, '0.025 / 1,000'],
      [PRICES.s3Write * 1_000, '0.005 / 1,000'],
      [PRICES.s3Read * 1_000, '0.0004 / 1,000'],
      [PRICES.s3GbMonth, '0.023 / 30'],
      [PRICES.mail * 1_000, '0.16 / 1,000'],
      [PRICES.secretRead * 10_000, '0.05 / 10,000'],
    ] as const) {
      expect(guide).toContain(text);
      expect(parseFloat(text)).toBeCloseTo(price, 12);
    }
    const { metrics, alarmMetrics } = FIXED;
    expect(guide).toContain(
      `(${metrics} metrics × 0.30 + ${alarmMetrics} metrics of alarms × 0.10 + 3.00 + 1.00) / 30`,
    );
  });
});
