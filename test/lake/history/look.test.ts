import type { ChangeOfADay } from '#records/storage/change-marker.ts';
import { HISTORY_VIEWS, viewWithoutHistory } from '#lake/sql/statements/views.ts';
import { noteChange } from '#support/pages/generated-lake.ts';
import { BUCKET, HistoryLake, slicesOf } from '#support/lake/history-lake.ts';

const NOW = '2026-11-20T12:00:00Z';
const MERGED_AT = '2026-11-19 12:00:00';

const lake = await HistoryLake.start({ today: '2026-11-20', firstDay: '2026-10-01' });
beforeEach(async () => {
  await lake.run('DELETE FROM history_merges');
  for (const key of lake.aws.s3.list(BUCKET, 'changes/')) await lake.aws.s3.remove(BUCKET, key);
});
afterAll(() => lake.close());

async function merged(
  what: ChangeOfADay | `${ChangeOfADay} failed`,
  days: readonly string[],
  at = MERGED_AT,
): Promise<void> {
  const rows = days.map((day) => `('${day}', DATE '${day}', '${what}', TIMESTAMP '${at}')`);
  await lake.run(
    `INSERT INTO history_merges (day, business_date, what, merged_at) VALUES ${rows.join(', ')}`,
  );
}

const november = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `2026-11-${String(from + index).padStart(2, '0')}`);

it('a stage without a history and without markers has nothing to merge', async () => {
  const { pointed_by: _, ...found } = await lake.look(NOW);
  expect(found).toEqual({
    slices: '[]',
    days_waiting: '0',
    mail_waiting: '0',
    waiting_since: 'none',
    behind: 'false',
    complete_from: 'none',
    complete_to: 'none',
    merged_days: 'none',
    merged_mail_days: 'none',
    looked_at: '2026-11-20T12:00:00.000Z',
    settled_at: '2026-11-20T12:00:00.000Z',
    views_differ: 'true',
    is_alone: 'true',
  });
});

it('a day waits when its newest merge may not have seen a change', async () => {
  await merged('days', november(1, 19));
  await merged('mail', november(1, 19));
  // An older merge of a day says nothing, once there is a newer one.
  await merged('days', ['2026-11-09', '2026-11-10'], '2026-11-18 12:00:00');
  await noteChange(lake.put, 'days', '2026-11-09', '2026-11-18T13:00:00Z');
  // Thirty minutes: ten for the marker, fifteen for the run, five to spare.
  await noteChange(lake.put, 'days', '2026-11-02', '2026-11-19T11:30:00Z');
  await noteChange(lake.put, 'days', '2026-11-05', '2026-11-19T11:40:00Z');
  await noteChange(lake.put, 'days', '2026-11-13', '2026-11-20T03:00:00Z');
  await noteChange(lake.put, 'days', '2026-11-13', '2026-11-20T04:00:00Z');
  // Its mail changed, and its rows did not.
  await noteChange(lake.put, 'mail', '2026-11-16', '2026-11-20T04:00:00Z');
  const found = await lake.look(NOW);
  expect(found).toMatchObject({
    merged_days: '2026-11-14 to 2026-11-19, 2026-11-06 to 2026-11-12, 2026-11-01 to 2026-11-04',
    complete_from: '2026-11-14',
    complete_to: '2026-11-19',
    days_waiting: '2',
    mail_waiting: '1',
    merged_mail_days: '2026-11-17 to 2026-11-19, 2026-11-01 to 2026-11-15',
    waiting_since: '2026-11-19T11:40:00.000Z',
    settled_at: '2026-11-19T11:40:00.000Z',
    // It waits for more than a day.
    behind: 'true',
  });
  expect(slicesOf(found).filter(({ what }) => what === 'days')).toEqual([
    { what: 'days', days: ['2026-11-05', '2026-11-13'], from: '2026-11-05', to: '2026-11-13' },
  ]);
});

it('days that nobody merged are filled up to yesterday, and today stays in the JSON files', async () => {
  await merged('days', ['2026-11-04', '2026-11-05', '2026-11-19', '2026-11-20']);
  await merged('mail', november(4, 19));
  await noteChange(lake.put, 'days', '2026-11-20', '2026-11-20T11:00:00Z');
  await noteChange(lake.put, 'days', '2026-11-21', '2026-11-20T11:00:00Z');
  await noteChange(lake.put, 'mail', '2026-11-20', '2026-11-20T11:00:00Z');
  const found = await lake.look(NOW);
  expect(slicesOf(found)).toEqual([
    { what: 'days', days: november(14, 18), from: '2026-11-14', to: '2026-11-18' },
    { what: 'days', days: november(9, 13), from: '2026-11-09', to: '2026-11-13' },
    { what: 'days', days: november(6, 8), from: '2026-11-06', to: '2026-11-08' },
  ]);
  expect(found).toMatchObject({
    merged_days: '2026-11-19 to 2026-11-19, 2026-11-04 to 2026-11-05',
    merged_mail_days: '2026-11-04 to 2026-11-19',
    days_waiting: '13',
    mail_waiting: '0',
    waiting_since: '2026-11-07T00:00:00.000Z',
    settled_at: '2026-11-20T11:00:00.000Z',
  });
});

it('a day that was never merged waits for its first merge, also one before the others', async () => {
  await merged('days', ['2026-11-19']);
  await merged('mail', ['2026-11-18', '2026-11-19']);
  await noteChange(lake.put, 'days', '2026-11-18', '2026-11-20T11:50:00Z');
  const found = await lake.look(NOW);
  expect(slicesOf(found)).toEqual([
    { what: 'days', days: ['2026-11-18'], from: '2026-11-18', to: '2026-11-18' },
  ]);
  expect(found).toMatchObject({ days_waiting: '1', mail_waiting: '0', behind: 'false' });
});

it('a day whose last merge failed waits, as a slice of its own, after the others', async () => {
  await merged('days', november(1, 15));
  await merged('mail', november(1, 19));
  // It was merged after it had failed.
  await merged('days failed', november(3, 4), '2026-11-18 12:00:00');
  await merged('days failed', ['2026-11-16', '2026-11-19'], '2026-11-20 09:00:00');
  // It waits without a marker, because markers go after a time.
  await merged('days failed', ['2026-11-06'], '2026-11-20 09:10:00');
  await noteChange(lake.put, 'days', '2026-11-13', '2026-11-20T03:00:00Z');
  const found = await lake.look(NOW);
  expect(slicesOf(found).map(({ days }) => days)).toEqual([
    ['2026-11-13', '2026-11-17', '2026-11-18'],
    ['2026-11-19'],
    ['2026-11-16'],
    ['2026-11-06'],
  ]);
  expect(found).toMatchObject({
    merged_days: '2026-11-14 to 2026-11-15, 2026-11-07 to 2026-11-12, 2026-11-01 to 2026-11-05',
  });
  // What failed longest ago comes first: ten damaged days must not keep the others from being tried.
  await merged('days failed', ['2026-11-19'], '2026-11-20 09:30:00');
  expect(slicesOf(await lake.look(NOW)).map(({ days }) => days)).toEqual([
    ['2026-11-13', '2026-11-17', '2026-11-18'],
    ['2026-11-16'],
    ['2026-11-06'],
    ['2026-11-19'],
  ]);
});

it('a look at days takes all of them, whatever is known of them, and their mail', async () => {
  await merged('days', november(10, 19));
  await merged('mail', november(10, 19));
  const found = await lake.look(NOW, { from: '2026-11-08', to: '2026-11-13' });
  expect(slicesOf(found).map(({ what, from, to }) => [what, from, to])).toEqual([
    ['days', '2026-11-09', '2026-11-13'],
    ['days', '2026-11-08', '2026-11-08'],
    ['mail', '2026-11-09', '2026-11-13'],
    ['mail', '2026-11-08', '2026-11-08'],
  ]);
  expect(found).toMatchObject({ merged_days: '2026-11-14 to 2026-11-19', behind: 'false' });
  // Every look knows of it, until the days are merged: the execution that was asked may have died.
  const next = await lake.look('2026-11-20T13:00:00Z');
  expect(next).toMatchObject({ merged_days: '2026-11-14 to 2026-11-19', days_waiting: '6' });
  await merged('days', november(8, 13), '2026-11-20 13:00:00');
  await merged('mail', november(8, 13), '2026-11-20 13:00:00');
  expect(await lake.look('2026-11-20T13:01:00Z')).toMatchObject({
    merged_days: '2026-11-08 to 2026-11-19',
    slices: '[]',
  });
});

it('after a time without merges in which markers were deleted, every day waits', async () => {
  await merged('days', november(10, 19));
  const [soon, late] = [await lake.look('2027-02-15T12:00:00Z'), await lake.look('2027-02-17T12:00:00Z')];
  expect(soon).toMatchObject({ merged_days: '2026-11-10 to 2026-11-19' });
  expect(late).toMatchObject({ merged_days: 'none', behind: 'true' });
});

it('a change that was not merged is found by later looks, although other days were merged', async () => {
  await merged('days', november(1, 19), '2026-11-10 12:00:00');
  await noteChange(lake.put, 'days', '2026-11-02', '2026-11-11T03:00:00Z');
  const first = await lake.look('2026-11-11T12:00:00Z');
  await lake.show(first);
  // The merge of that day fails every time; those of the other days do not.
  await merged('days', november(3, 19), '2026-11-15 12:00:00');
  const later = await lake.look('2026-11-16T12:00:00Z');
  await lake.show(later);
  expect(later.settled_at).toBe('2026-11-11T03:00:00.000Z');
  const last = await lake.look(NOW);
  expect(slicesOf(last).map(({ days }) => days)).toEqual([['2026-11-02']]);
  expect(last.behind).toBe('true');
  expect(await lake.query('SELECT complete_from, days_waiting FROM history_state')).toEqual([
    { complete_from: '2026-11-03', days_waiting: '1' },
  ]);
  await merged('days', ['2026-11-02'], '2026-11-20 11:00:00');
  const done = await lake.look(NOW);
  await lake.show(done);
  expect(done).toMatchObject({ slices: '[]', settled_at: '2026-11-20T12:00:00.000Z' });
  expect(await lake.query('SELECT merged_days, looked_at FROM history_state')).toEqual([
    { merged_days: '2026-11-01 to 2026-11-19', looked_at: '2026-11-20 12:00:00.000' },
  ]);
});

it('after a deploy of other views, the next look replaces them', async () => {
  await merged('days', november(1, 19));
  await lake.show(await lake.look(NOW));
  expect((await lake.look(NOW)).views_differ).toBe('false');
  await lake.run(viewWithoutHistory(HISTORY_VIEWS));
  expect((await lake.look(NOW)).views_differ).toBe('true');
});
