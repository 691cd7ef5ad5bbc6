import { describe, expect, it } from 'vitest';
import { NoticeTime } from '#mail/notices/ops-notices.ts';

/** The time for a notice in a run with this much time left. Milliseconds. */
async function givenOf(remaining: number): Promise<number> {
  const time = new NoticeTime();
  time.begin(remaining);
  return time.spend((milliseconds) => Promise.resolve(milliseconds));
}

describe('the time for notices to ops', () => {
  it('is at most 30 seconds, however long the run may take', async () => {
    const given = await givenOf(15 * 60_000);
    expect(given).toBeLessThanOrEqual(30_000);
    expect(given).toBeGreaterThan(29_000);
  });

  it('is a third of the time of a shorter run', async () => {
    expect(await givenOf(60_000)).toBeLessThanOrEqual(20_000);
    expect(await givenOf(-1)).toBe(0);
  });
});
