import { addDays } from '#records/day/business-day.ts';
import { daysOf, periodDays } from '#records/period/period.ts';
import { ListedBucket, looksAt } from '#support/plan/running-plan.ts';

const CODE = '700001';
const OWNER = { merchantCode: CODE };
/** Eight in Kuwait: the time of all statements. */
const NOW = '2026-11-20T05:00:00Z';
const YEAR_AGO = '2025-11-01';
const TIMES = { weekly: { on: 'sunday', at: '08:00' }, monthly: { onDay: 1, at: '08:00' } };
const OLD_WEEK = '2026-W10';
const OLD_DAY = '2026-03-03';

const bucket = new ListedBucket();
beforeEach(() => {
  Object.assign(bucket, new ListedBucket());
  bucket.sealDays(CODE, daysOf({ from: YEAR_AGO, to: '2026-11-19' }));
});

const looksFor = (correctFor: string) =>
  looksAt(bucket, { merchants: [{ ...OWNER, statements: { ...TIMES, correctFor } }] });

/** Makes every statement that is due over a year. */
async function stateAll(): Promise<void> {
  const { items } = await looksFor('366d').look(NOW, { withUnchanged: true });
  const periods = new Set(items.map(({ period }) => period));
  const asked = bucket.asked.flatMap((what) => /^statements (.*)/.exec(what)?.[1] ?? []);
  for (const period of new Set([...periods, ...asked])) {
    const days = daysOf(periodDays(period, 'sunday'));
    bucket.issue(OWNER, period, `${addDays(days.at(-1) ?? '', 1)}T05:00:00Z`, days);
  }
}

const isNote = (what: string) => what.startsWith('changes ');

describe('statements that are corrected for a year', () => {
  beforeEach(stateAll);

  it('need no more listings than those of 45 days, beside those of changes', async () => {
    await looksFor('45d').look(NOW);
    const recent = bucket.asked;
    expect(recent.filter(isNote)).toEqual([]);
    await looksFor('366d').look(NOW);
    expect(bucket.asked.filter(isNote)).toHaveLength(31);
    expect(bucket.asked.filter((what) => !isNote(what)).sort()).toEqual(recent.toSorted());
    // Each is 20 requests for 20,000 merchants, and an answer takes a function 50 ms to read: one and a half minutes.
    expect(recent.length).toBeLessThanOrEqual(90);
  });

  it('are made again when an old day has changed, and other old periods are not looked at', async () => {
    bucket.sealDay(CODE, OLD_DAY, Date.parse('2026-11-20T03:00:00Z'), 2);
    const { look, names } = looksFor('366d');
    expect(await names(NOW)).toEqual(['700001 2026-03', `700001 ${OLD_WEEK}`]);
    expect(bucket.asked).toContain('days 2026-03-31');
    expect(bucket.asked).not.toContain('statements 2026-W20');
    expect((await look(NOW)).items[1]).toMatchObject({ revisions: [1, 1, 2, 1, 1, 1, 1] });
  });

  it('find a change of the last 30 days, however many looks were left out', async () => {
    bucket.sealDay(CODE, OLD_DAY, Date.parse('2026-10-21T03:00:00Z'), 2);
    expect(await looksFor('366d').names(NOW)).toContain(`700001 ${OLD_WEEK}`);
    expect(await looksFor('366d').names('2026-11-21T05:00:00Z')).toEqual([]);
  });

  it('find every change when a person asks', async () => {
    bucket.sealDay(CODE, OLD_DAY, Date.parse('2026-08-01T03:00:00Z'), 2);
    const { names } = looksFor('366d');
    expect(await names(NOW)).toEqual([]);
    expect(await names(NOW, { withUnchanged: true })).toEqual(['700001 2026-03', `700001 ${OLD_WEEK}`]);
  });

  it('need no more at the ticks between their times of day', async () => {
    await looksFor('366d').look('2026-11-20T12:00:00Z');
    expect(bucket.asked).toEqual([]);
  });
});
