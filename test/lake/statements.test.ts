import { daysOf } from '#records/period/period.ts';
import type { Statement } from '#page/figures/statement.ts';
import { pageKey } from '#records/storage/keys.ts';
import { NAMED_QUERIES } from '#lib/lake/queries/index.ts';
import type { TrinoRow } from '#sandbox/trino/index.ts';
import { defined } from '#support/assertions/index.ts';
import { asText, sortedRows } from '#support/lake/running-lake.ts';
import { expectedAdjustments, expectedStatement, expectedStatementDays } from '#support/lake/expected.ts';
import { BUCKET, HistoryLake } from '#support/lake/history-lake.ts';
import { GeneratedStatements } from '#support/pages/generated-statements.ts';
import type { GeneratedMerchant } from '#support/pages/generated-statements.ts';

/** The last day of week 53 of 2026 is in 2027. */
const TODAY = '2027-01-13';
const DAYS = daysOf({ from: '2026-12-01', to: '2027-01-12' });
const PERIODS = ['2026-12', '2026-W53', '2027-W01'];

const PLAIN: GeneratedMerchant = {
  merchantCode: '700001',
  currency: 'KWD',
  weekStart: 'sunday',
  charges: ['admin_charge'],
  gaps: false,
};
const WITH_GAPS: GeneratedMerchant = {
  ...PLAIN,
  merchantCode: '700002',
  currency: 'USD',
  weekStart: 'monday',
  charges: ['admin_charge', 'service_charge'],
  gaps: true,
};
const LATE: GeneratedMerchant = {
  ...PLAIN,
  merchantCode: '700003',
  weekStart: 'friday',
  charges: [],
  reportFrom: '2026-12-30',
};
const MERCHANTS = [PLAIN, WITH_GAPS, LATE];

const UNKNOWN = { payments: null, received: null, refunded: null, charges: null, net: null };
const KNOWN = {
  payments: 7,
  received: '12345678901234567890.125',
  refunded: '0.001',
  charges: '0.000',
  net: '-1.500',
};
const OF_NOVEMBER = { period: '2026-11', currency: 'KWD', revision: 3 } as const;
/** A closed statement that was reopened before, and tells what changed in November. */
const TELLS: Pick<Statement, 'closedAt' | 'reopenedAt' | 'adjustments'> = {
  closedAt: `${TODAY}T06:00:00.000Z`,
  reopenedAt: '2027-01-10T06:00:00.250Z',
  adjustments: [
    {
      ...OF_NOVEMBER,
      day: '2026-11-03',
      reasons: ['payments', 'charges'],
      was: { ...KNOWN, net: '2.000' },
      is: KNOWN,
    },
    { ...OF_NOVEMBER, day: '2026-11-04', reasons: ['balance'], was: UNKNOWN, is: KNOWN },
  ],
};

const lake = await HistoryLake.start({ today: TODAY, firstDay: '2026-12-01' });
const { aws, put } = lake;
const sealed = new GeneratedStatements(put, 2026);

beforeAll(async () => {
  for (const merchant of MERCHANTS) {
    const { reportFrom = '2026-12-01' } = merchant;
    for (const day of DAYS) {
      const isMissing = merchant === WITH_GAPS && day === '2026-12-29';
      if (day >= reportFrom && !isMissing) await sealed.sealDay(merchant, day);
    }
    for (const period of PERIODS) await sealed.sealStatement(merchant, period, `${TODAY}T05:00:00.123Z`);
  }
  // A correction of a day in the last hours of the year is in a month and a week.
  for (const day of ['2026-12-05', '2026-12-31']) await sealed.sealDay(PLAIN, day);
  for (const period of ['2026-12', '2026-W53']) {
    await sealed.sealStatement(PLAIN, period, `${TODAY}T06:00:00.000Z`, period === '2026-12' ? TELLS : {});
  }
  const { merchantCode } = PLAIN;
  const beside = `statements/period=2026-12/merchant=${merchantCode}`;
  await put(`${beside}/closed.json`, JSON.stringify({ merchantCode, revision: 1, days: [] }));
  await put(`${beside}/reopened-r0001.json`, JSON.stringify({ merchantCode, revision: 1 }));
});
afterAll(() => lake.close());

/** The keys of statements that were read and the prefixes of theirs that were listed while `ask` ran, each once. */
async function opened(ask: () => Promise<unknown>): Promise<{ read: string[]; listed: string[] }> {
  const before = aws.requests.length;
  await ask();
  const requests = aws.requests.slice(before).filter(({ key }) => key?.startsWith('statements/'));
  const keys = (operation: string) => {
    const own = requests.filter((request) => request.operation === operation);
    return [...new Set(own.map(({ key = '' }) => key))].toSorted();
  };
  return { read: keys('GetObject'), listed: keys('ListObjectsV2') };
}

const placeOf = (row: TrinoRow) => `${asText(row['period'])} ${asText(row['merchant_code'])}`;

describe('latest_statements', () => {
  it('has the newest statement of each merchant and period, value for value', async () => {
    const rows = await lake.query('SELECT * FROM latest_statements');
    const expected = sealed.newest().map(expectedStatement);
    expect(sortedRows(rows, 'period', 'merchant_code')).toEqual(
      sortedRows(expected, 'period', 'merchant_code'),
    );
    expect(new Set(rows.map(placeOf)).size).toBe(MERCHANTS.length * PERIODS.length);
    const revisionOf = (place: string) => rows.find((row) => placeOf(row) === place)?.['revision'];
    expect([revisionOf('2026-12 700001'), revisionOf('2027-W01 700001')]).toEqual(['2', '1']);
    // The merchants have what may be unknown: days, figures, nets.
    expect(rows.some((row) => row['final'] === false && row['net'] === null)).toBe(true);
    expect(rows.some((row) => row['final'] === true && row['net'] !== null)).toBe(true);
  });

  it.each(["year = '2026' AND part = 'W53'", "period = '2026-W53'"])(
    'reads and lists only the period when the condition is: %s',
    async (condition) => {
      const { read, listed } = await opened(() =>
        lake.query(`SELECT * FROM latest_statements WHERE ${condition}`),
      );
      const folder = 'statements/period=2026-W53/';
      expect(listed).toEqual([folder]);
      expect(read.length).toBe(MERCHANTS.length + 1);
      expect(read.filter((key) => !key.startsWith(folder))).toEqual([]);
    },
  );

  it('lists the weeks and months of the years of the tables without a condition', async () => {
    const { listed } = await opened(() => lake.query('SELECT count(*) FROM latest_statements'));
    expect(listed).toHaveLength(2 * (12 + 53));
  });
});

it('merchant_statements reads the statements of one merchant only', async () => {
  const ask = () =>
    lake.query(
      "SELECT period, revision FROM merchant_statements WHERE merchant = '700001' AND year = '2026' AND digest IS NOT NULL",
    );
  const { read } = await opened(ask);
  // Four statements, and what says that one was closed and reopened.
  expect(read).toHaveLength(6);
  expect(read.filter((key) => !key.includes('/merchant=700001/'))).toEqual([]);
  expect(sortedRows(await ask(), 'period', 'revision').map((row) => Object.values(row))).toEqual([
    ['2026-12', '1'],
    ['2026-12', '2'],
    ['2026-W53', '1'],
    ['2026-W53', '2'],
  ]);
});

it('statement_days has each day of the newest statements, value for value', async () => {
  const rows = await lake.query('SELECT * FROM statement_days');
  const expected = sealed.newest().flatMap(expectedStatementDays);
  const order = ['period', 'merchant_code', 'day'];
  expect(sortedRows(rows, ...order)).toEqual(sortedRows(expected, ...order));
});

it('adjustments has what the newest statements tell of closed ones, value for value', async () => {
  const rows = await lake.query('SELECT * FROM adjustments');
  const expected = sealed.newest().flatMap(expectedAdjustments);
  expect(expected).toHaveLength(2);
  expect(sortedRows(rows, 'day')).toEqual(sortedRows(expected, 'day'));
});

describe('the query statements-against-days', () => {
  const { sql } = defined(NAMED_QUERIES.find(({ name }) => name === 'statements-against-days'));
  /** The query for another period, changed as its comment says. */
  const ofPeriod = (period: string) =>
    sql
      .replaceAll(/year = substr.*/g, `year = '${period.slice(0, 4)}' AND part = '${period.slice(5)}'`)
      .replace(/d\.day >= .*/, "d.day BETWEEN '2026-12-20' AND '2027-01-20'");

  it('gives no row when all statements are the sums of their days', async () => {
    for (const asked of [sql, ofPeriod('2026-W53')]) expect(await lake.query(asked)).toEqual([]);
  });

  /** What the query gives while a statement of the first week of 2027 is another one. */
  async function askWith(merchantCode: string, change: (right: Statement) => Partial<Statement>) {
    const period = '2027-W01';
    const isIt = (one: Statement) => one.merchantCode === merchantCode && one.period === period;
    const right = defined(sealed.newest().find(isIt));
    const key = pageKey({ owner: { merchantCode }, period, revision: 1 });
    await put(key, JSON.stringify({ ...right, ...change(right) }));
    const rows = await lake.query(ofPeriod(period));
    await put(key, JSON.stringify(right));
    return { right, rows: rows.map((row) => Object.values(row)) };
  }

  it('gives a sum that is wrong by a thousandth', async () => {
    const wrong = (total: string | null) => (total ?? '').replace(/.$/, (last) => (last === '0' ? '1' : '0'));
    const { right, rows } = await askWith('700001', ({ refunds }) => ({
      refunds: { ...refunds, total: wrong(refunds.total) },
    }));
    const { total } = right.refunds;
    expect(rows).toEqual([['2027-W01', '700001', '1', 'refund_amount', wrong(total), total]]);
  });

  it('gives the sums of days that have no manifest of the revision that the statement names', async () => {
    const { rows } = await askWith('700003', ({ days: [first, ...others] }) => ({
      days: [{ ...defined(first), revision: 7 }, ...others],
    }));
    expect(rows).toContainEqual(['2027-W01', '700003', '1', 'days', '7.000', '6.000']);
    // Every other sum is unknown.
    expect(rows.filter(([, , , , , ofDays]) => ofDays === null)).toHaveLength(13);
    expect(rows).toHaveLength(14);
  });
});

describe('an object that is no statement', () => {
  const folder = 'statements/period=2026-W50/merchant=700001/';

  it.each(['null', '[1,2]', '{}', '{"merchantCode":"700002","period":"2026-W50","revision":1,"days":[]}'])(
    'stops the queries of its period, which name it, and no others: %s',
    async (line) => {
      await put(`${folder}r0001.json`, `${line}\n`);
      const count = (part: string) =>
        lake.query(`SELECT count(*) AS n FROM latest_statements WHERE year = '2026' AND part = '${part}'`);
      try {
        await expect(count('W50')).rejects.toThrow(`a line is no statement: ${folder}r0001.json`);
        expect(await count('W53')).toEqual([{ n: '3' }]);
      } finally {
        await aws.s3.remove(BUCKET, `${folder}r0001.json`);
      }
    },
  );

  it('is left out when its key is no key of a statement', async () => {
    const copies = ['r0001 (copy).json', 'r00001.json', 'old/r0001.json', 'r0001.json.txt'];
    for (const name of copies) await put(`${folder}${name}`, 'null\n');
    try {
      const rows = await lake.query("SELECT * FROM latest_statements WHERE year = '2026' AND part = 'W50'");
      expect(rows).toEqual([]);
    } finally {
      for (const name of copies) await aws.s3.remove(BUCKET, `${folder}${name}`);
    }
  });
});
