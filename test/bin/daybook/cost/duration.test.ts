import { describe, expect, it } from 'vitest';
import { longestChain } from '#bench/fleet/chain.ts';
import { cpuShare, duration, rounds } from '#bin/daybook/cost/model/duration.ts';
import { FUNCTION_MEMORY, readSettings } from '#bench/fleet/settings.ts';
import { FUNCTIONS } from '#lib/functions.ts';
import prod from '#lib/stages/prod.json' with { type: 'json' };

const requests = { login: 1, invoices: 4, refundList: 1, refunds: 0 };
const place = { memory: 1_769, latency: 40, awsLatency: 10, window: 16 };

describe('the chain of requests', () => {
  it('counts requests that waited for one another, and does not count requests that ran at the same time', () => {
    expect(longestChain([])).toBe(0);
    expect(
      longestChain([
        { from: 0, to: 10 },
        { from: 5, to: 20 },
        { from: 10, to: 12 },
        { from: 21, to: 22 },
      ]),
    ).toBe(3);
  });
});

describe('rounds of the payment service', () => {
  it('are the login, the first pages and the list of refunds when each type has one page', () => {
    expect(rounds(requests, 16)).toEqual({ single: 3, streamed: 0 });
  });

  it('include page one again and the windows of pages when a type has more pages', () => {
    // 4 first pages, 4 read again, 320 others; 40 refunds on three pages of the list.
    expect(rounds({ login: 1, invoices: 328, refundList: 3, refunds: 40 }, 16)).toEqual({
      single: 6,
      streamed: 20 + 3,
    });
  });
});

describe('the duration of an invocation', () => {
  it('adds the fixed parts: rounds, the chain of AWS calls and the CPU of an empty day', () => {
    expect(duration({ cpu: 50, requests, awsChain: 20 }, 50, place)).toBe(3 * 40 + 20 * 10 + 50);
  });

  it('takes the longer of waiting and working for the rest', () => {
    const long = { login: 1, invoices: 328, refundList: 1, refunds: 0 };
    const still = 4 * 40 + 50;
    expect(duration({ cpu: 150, requests: long, awsChain: 0 }, 50, place)).toBe(still + 20 * 40);
    expect(duration({ cpu: 5_050, requests: long, awsChain: 0 }, 50, place)).toBe(still + 5_000);
  });

  it('grows when the memory is small, and never uses more than one core', () => {
    expect(cpuShare(512)).toBeCloseTo(0.289, 3);
    expect(cpuShare(3_538)).toBe(1);
    const work = { cpu: 1_000, requests, awsChain: 0 };
    expect(duration(work, 0, { ...place, memory: 512 })).toBeCloseTo(3 * 40 + 1_000 / cpuShare(512));
  });
});

describe('the settings that the estimate takes from the deployment', () => {
  it('are the settings that are deployed', () => {
    const settings = readSettings([]);
    expect(settings).toMatchObject({ concurrency: prod.concurrency.reports, memory: FUNCTION_MEMORY });
    expect(FUNCTIONS['daily-report'].memory).toBe(FUNCTION_MEMORY);
  });
});
