import { addDays } from '#records/day/business-day.ts';
import type { Day } from '#records/day/business-day.ts';
import { seededRandom } from '#sandbox/payments/day/random.ts';
import { DAYS_HISTORY, INVOICES_HISTORY } from '#lake/sql/history-tables.ts';
import { optimize } from '#lake/sql/statements/tables.ts';
import { TrinoError } from '#sandbox/trino/index.ts';
import {
  HistoryLake,
  daysStatements,
  inTrinosWords,
  mailStatements,
  sliceOf,
} from '#support/lake/history-lake.ts';
import { LakePages } from '#support/lake/lake-pages.ts';
import { expectHistoryIsLatest } from '#support/lake/running-lake.ts';

const MERCHANTS = 60;
const DAYS: Day[] = Array.from({ length: 30 }, (_, index) => addDays('2026-11-01', index));
const TODAY = '2026-12-01';
const MERGED_AT = `${TODAY}T10:00:00Z`;
const AT_ONCE = 16;
const random = seededRandom('a month of sixty merchants');

/** Of the merchants, the last ones begin late; one of those gets the days before by a backfill. */
const LATE = 54;
const BACKFILLED = 59;
const isThere = (merchant: number, day: Day) =>
  merchant < LATE || merchant === BACKFILLED || day >= '2026-11-16';

/** Each seals what happens to one page, in its order. */
const pulls: (() => Promise<void>)[] = [];
const lake = await HistoryLake.start({ today: TODAY, firstDay: '2026-10-25' });
const pages = new LakePages(lake.put);
for (const day of DAYS) {
  for (let merchant = 0; merchant < MERCHANTS; merchant += 1) {
    if (!isThere(merchant, day)) continue;
    const at = `${merchant === BACKFILLED ? TODAY : addDays(day, 1)}T03:00:00Z`;
    // Every tenth merchant sells nothing on most days.
    const isQuiet = merchant % 10 === 0 && !random.chance(20);
    const size = isQuiet
      ? { invoices: 0, refunds: 0 }
      : { invoices: 1 + random.below(4), refunds: random.below(3) };
    const [isCorrected, crashes] = [random.chance(10), random.chance(1)];
    const emptied = random.chance(3) ? { invoices: 0, refunds: 0 } : size;
    pulls.push(async () => {
      if (crashes) await pages.crash(merchant, day, { at, size });
      let page = await pages.seal(merchant, day, { at, size });
      if (isCorrected) page = await pages.seal(merchant, day, { at: `${TODAY}T02:00:00Z`, size: emptied });
      if (merchant % 25 === 0) await pages.send(page, at, ['delivered']);
    });
  }
}
const left = pulls.values();
await Promise.all(
  Array.from({ length: AT_ONCE }, async () => {
    for (const pull of left) await pull();
  }),
);
afterAll(() => lake.close());

/** Runs statements, and repeats those that failed because of another merge. */
async function persist(statements: readonly string[]): Promise<void> {
  for (const statement of statements) {
    await lake.run(statement).catch(async (error: unknown) => {
      if (!(error instanceof TrinoError) || error.code !== 'ICEBERG_COMMIT_ERROR') throw error;
      await lake.run(statement);
    });
  }
}

it('a month of 60 merchants is the same, row for row, after merges in any order', async () => {
  const slices = Array.from({ length: 6 }, (_, index) => sliceOf(DAYS.slice(index * 5, index * 5 + 5)));
  const shuffled = slices
    .map((slice) => ({ slice, place: random.below(1_000) }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ slice }) => slice);
  const [died, twice] = shuffled;
  if (died === undefined || twice === undefined) throw new Error('there are six slices');
  // The first dies, and is repeated at the end. The second runs twice at once.
  await persist(daysStatements(died, MERGED_AT).slice(0, 1));
  const [invoices = '', ...others] = daysStatements(twice, MERGED_AT);
  await Promise.all([persist([invoices]), persist([invoices])]);
  await persist(others);
  for (const slice of [...shuffled.slice(2), died]) await persist(daysStatements(slice, MERGED_AT));
  await persist(mailStatements(sliceOf(DAYS), MERGED_AT));
  await expectHistoryIsLatest(lake);
  const [counts] = await lake.query(`SELECT count(*) AS pages, sum(invoice_rows) AS invoices,
    count_if(revision > 1) AS corrected FROM days_history`);
  expect(Number(counts?.['pages'])).toBe(pulls.length);
  expect(Number(counts?.['corrected'])).toBeGreaterThan(pulls.length / 20);
  expect(await lake.query('SELECT count(*) AS invoices FROM invoices_history')).toEqual([
    { invoices: counts?.['invoices'] },
  ]);
  // Every page was noted, because every day is complete.
  expect(await lake.query("SELECT count(DISTINCT day) AS n FROM history_merges WHERE what = 'days'")).toEqual(
    [{ n: '30' }],
  );
}, 1_800_000);

const MONTH = `day BETWEEN '${DAYS[0] ?? ''}' AND '${DAYS.at(-1) ?? ''}'`;
const sumsOf = (table: string) =>
  `SELECT merchant_code, count(*) AS invoices, sum(amount) AS amount FROM ${table} WHERE ${MONTH} GROUP BY 1`;
const countsOf = (table: string) =>
  `SELECT day, count(*) AS merchants, sum(invoices) AS invoices FROM ${table} WHERE ${MONTH} GROUP BY 1`;

/** What a question takes: milliseconds of the engine's processor, and the objects of the lake whose bytes it reads. */
async function taken(sql: string) {
  lake.aws.requests.length = 0;
  const { rows, stats } = await lake.trino.run(sql);
  const read = lake.aws.requests.filter(({ operation }) => operation === 'GetObject');
  // The file metastore stands in for Glue. Its own objects are no part of the lake.
  const keys = new Set(
    read.map(({ key = '' }) => key).filter((key) => /^(?:invoices|days|lake)\//.test(key)),
  );
  return { rows: rows.map((row) => JSON.stringify(row)).toSorted(), cpu: stats.cpuMillis, keys: [...keys] };
}

it.each([
  ['sums per merchant', INVOICES_HISTORY, sumsOf('latest_invoices'), sumsOf('invoices_history')],
  ['counts per day', DAYS_HISTORY, countsOf('latest_days'), countsOf('days_history')],
])(
  '%s of a month take 25 times less of the processor from the history',
  async (_, table, fromFiles, fromHistory) => {
    await lake.run(inTrinosWords(optimize(table, DAYS[0])));
    // The first time, the engine also compiles the statement and loads classes.
    await taken(fromHistory);
    const history = await taken(fromHistory);
    const files = await taken(fromFiles);
    expect(history.rows).toEqual(files.rows);
    expect(history.cpu * 25).toBeLessThanOrEqual(files.cpu);
    expect(history.keys.length).toBeLessThanOrEqual(60);
    expect(files.keys.length).toBeGreaterThan(pulls.length / 2);
  },
  600_000,
);
