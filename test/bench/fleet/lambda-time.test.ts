import { describe, expect, it } from 'vitest';
import { doneAtOnce, duration, endsOf, longestChain, type Interval } from '#bench/fleet/lambda-time.ts';
import { fc, forAll } from '#support/assertions/for-all.ts';

/** Looks at every pair. */
function searchedChain(requests: readonly Interval[]): number {
  const depths: number[] = [];
  const inOrder = requests.toSorted((one, other) => one.from - other.from);
  for (const [index, { from }] of inOrder.entries()) {
    const before = inOrder.slice(0, index).map(({ to }, other) => (to <= from ? (depths[other] ?? 0) : 0));
    depths.push(1 + Math.max(0, ...before));
  }
  return Math.max(0, ...depths);
}

describe('the requests that wait for each other', () => {
  it('are the longest series in which each began after the one before had ended', () => {
    const requests = [
      { from: 0, to: 10 },
      { from: 0, to: 4 },
      { from: 5, to: 9 },
      { from: 9, to: 12 },
      { from: 11, to: 14 },
    ];
    expect(longestChain(requests)).toBe(3);
    expect(longestChain([])).toBe(0);
  });

  it('are those that a search of all pairs finds', () => {
    const interval = fc
      .tuple(fc.nat(30), fc.nat(10))
      .map(([from, length]): Interval => ({ from, to: from + length }));
    forAll([fc.array(interval, { maxLength: 40 })], (requests) => {
      expect(longestChain(requests)).toBe(searchedChain(requests));
    });
  });
});

describe('the duration of an invocation', () => {
  const requests = { login: 1, invoices: 4, refundList: 1, refunds: 0 };

  it('adds the rounds, the chain of AWS calls and the CPU of an empty day', () => {
    expect(duration({ cpu: 50, requests, awsChain: 20 }, 50, 1_769, 40)).toBe(3 * 40 + 20 * 15 + 50);
  });

  it('takes the longer of waiting and working for the rest', () => {
    // 4 first pages, 4 read again, 320 others; 40 refunds.
    const long = { login: 1, invoices: 328, refundList: 1, refunds: 40 };
    const still = 4 * 40 + 50;
    expect(duration({ cpu: 150, requests: long, awsChain: 0 }, 50, 1_769, 40)).toBe(still + 23 * 40);
    expect(duration({ cpu: 5_050, requests: long, awsChain: 0 }, 50, 1_769, 40)).toBe(still + 5_000);
  });

  it('grows when the memory is small, and never uses more than one core', () => {
    const work = { cpu: 1_000, requests, awsChain: 0 };
    expect(duration(work, 0, 512, 40)).toBeCloseTo(3 * 40 + (1_000 * 1_769) / 512);
    expect(duration(work, 0, 3_538, 40)).toBe(3 * 40 + 1_000);
  });
});

describe('the ends of the messages of a queue', () => {
  it('give the next message to the place that is free first', () => {
    expect(endsOf([3, 1, 1, 1, 4].map(doneAtOnce), 2)).toEqual([3, 1, 2, 3, 7]);
    expect(endsOf([], 50)).toEqual([]);
  });

  it('let a message come back when it is visible and a place is free', () => {
    const killed = { runs: 10, comesBack: 11 };
    expect(endsOf([[killed, killed, killed], doneAtOnce(4), doneAtOnce(4)], 2)).toEqual([32, 4, 8]);
    expect(
      endsOf(
        [
          [
            { runs: 1, comesBack: 5 },
            { runs: 1, comesBack: 0 },
          ],
          doneAtOnce(9),
        ],
        1,
      ),
    ).toEqual([11, 10]);
  });
});
