import { describe, expect, it } from 'vitest';
import { SPOOL, TIME, limits } from '#bench/fleet/cost/limits.ts';

const costs = {
  fixed: 0,
  cpu: 0.1,
  page: 0,
  spool: 300,
  memoryBase: 150 * 1_048_576,
  memory: 0,
  refunds: 0,
};
const place = { latency: 0, perPage: 15, memory: 1_769, window: 16 };

describe('the largest day of one function', () => {
  it('is limited by the rows that the CPU can write in the time of a pull', () => {
    const slow = { ...place, memory: 1_769 / 4 };
    expect(limits(costs, slow)).toMatchObject({ first: '/tmp' });
    expect(limits({ ...costs, spool: 1 }, slow)).toMatchObject({ first: 'CPU', invoices: TIME / 0.4 });
  });

  it('is limited by the pages that arrive in windows at a given latency', () => {
    const { first, by } = limits(costs, { ...place, latency: 200 });
    expect(first).toBe('latency');
    expect(by.latency).toBeCloseTo((TIME / 200) * 16 * 15);
  });

  it('counts one request for each refund', () => {
    const some = limits({ ...costs, refunds: 1 / 15 }, { ...place, latency: 200 });
    expect(some.by.latency).toBeCloseTo((TIME / 200) * 16 * 7.5);
  });

  it('is limited by the local disk and by the memory', () => {
    expect(limits(costs, place).by['/tmp']).toBe(SPOOL / 300);
    expect(limits({ ...costs, memory: 1_048_576 }, { ...place, memory: 512 })).toMatchObject({
      first: 'memory',
      invoices: 362,
    });
  });

  it('counts the work of each page, even of a page with few rows', () => {
    const paged = { ...costs, spool: 1, page: 1.5 };
    expect(limits(paged, place).by.CPU).toBeCloseTo(TIME / 0.2);
    expect(limits(paged, { ...place, perPage: 150 }).by.CPU).toBeCloseTo(TIME / 0.11);
  });
});
