import { ROW_WORDS } from '#lake/sql/views/row-words.ts';
import { formatAmount, parseSum } from '#records/money/money.ts';
import type { Manifest } from '#records/revision/manifest.ts';
import { CODE, DAY } from '#support/world/daybook-world.ts';
import { LAKE_VIEWS } from '#lib/lake/views/index.ts';
import type { TrinoRow } from '#sandbox/trino/index.ts';
import { asText, keysOpened, openLakeWorld } from '#support/lake/running-lake.ts';
import { expectedFigures, expectedRow } from '#support/lake/expected.ts';
import { DAY_BEFORE, SECOND, THIRD, type StoredRecord } from '#support/lake/lake-world.ts';
import { defined } from '#support/assertions/index.ts';

const { made, lake } = await openLakeWorld();

/** Each of the four types is stated with one invoice more than it has. */
const MISCOUNTED = 4;
const DAYS = [DAY_BEFORE, DAY];
const MERCHANTS = [CODE, SECOND, THIRD];
/** Every other page has one revision. */
const NEWEST: Record<string, string> = { [`${DAY} ${CODE}`]: '3', [`${DAY_BEFORE} ${CODE}`]: '2' };

/** Compares JSON in text columns by value, because the engine writes some escapes differently. */
function sameSpelling(row: TrinoRow): TrinoRow {
  const spelled: TrinoRow = {};
  for (const name of ['products', 'rentperiod']) {
    const value = row[name];
    if (typeof value === 'string' && /^[[{]/.test(value)) spelled[name] = JSON.stringify(JSON.parse(value));
  }
  return { ...row, ...spelled };
}

/** The rows by day and merchant, in the order of ids. */
function byPage(rows: TrinoRow[]): Map<string, TrinoRow[]> {
  const inOrder = rows.toSorted((a, b) => (BigInt(asText(a['id'])) < BigInt(asText(b['id'])) ? -1 : 1));
  return Map.groupBy(inOrder, (row) => `${asText(row['day'])} ${asText(row['merchant_code'])}`);
}

function expectedPages(kind: StoredRecord['kind']): Map<string, TrinoRow[]> {
  const rows = made.truth
    .filter((stored) => stored.kind === kind)
    .map((stored) => ({
      day: stored.day,
      merchant_code: stored.merchantCode,
      ...sameSpelling(expectedRow(stored)),
    }));
  return byPage(rows);
}

const WORDS = new Set(Object.values(ROW_WORDS).flatMap((columns) => columns.map(({ name }) => name)));

/** The columns that do not come from the service. */
function withoutWords(row: TrinoRow): TrinoRow {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !WORDS.has(name)));
}

/** The newest revision of each page. */
async function newestPages(): Promise<Manifest[]> {
  const pages = await lake.query(
    'SELECT day, merchant_code, revision FROM latest_days ORDER BY day, merchant_code',
  );
  return Promise.all(
    pages.map(({ day, merchant_code: merchant, revision }) =>
      made.world.manifest(Number(revision), asText(merchant), asText(day)),
    ),
  );
}

function sumOf(rows: readonly TrinoRow[], name: string): string {
  return formatAmount(rows.reduce((sum, row) => sum + parseSum(asText(row[name])), 0n));
}

const countedIn = (rows: readonly TrinoRow[]) => ({ count: rows.length, amount: sumOf(rows, 'amount') });

describe.each([
  ['latest_invoices', 'invoice', 60],
  ['latest_refunds', 'refund', 8],
] as const)('%s', (view, kind, least) => {
  it('has every record of the newest revisions as the service has it, value for value, and nothing else', async () => {
    const rows = await lake.query(`SELECT * FROM ${view}`);
    const pages = byPage(
      rows.map(({ business_date: date, revision, query_type: queryType, ...columns }) => {
        const row = withoutWords(columns);
        expect(date).toBe(row['day']);
        expect(revision).toBe(NEWEST[`${asText(row['day'])} ${asText(row['merchant_code'])}`] ?? '1');
        if (kind === 'invoice') expect(queryType).toBe(row['invoice_type']);
        return sameSpelling(row);
      }),
    );
    const expected = expectedPages(kind);
    expect([...pages.keys()].toSorted()).toEqual(
      DAYS.flatMap((day) => MERCHANTS.map((merchant) => `${day} ${merchant}`)).toSorted(),
    );
    for (const [page, records] of expected) {
      expect(records.length).toBeGreaterThanOrEqual(least);
      expect(pages.get(page), page).toEqual(records);
    }
  });
});

it('the tables hold what the views leave out: older revisions and the files of a crashed pull', async () => {
  const files = async (day: string, merchant: string) =>
    (
      await lake.query(
        `SELECT DISTINCT "$path" FROM invoices WHERE day = '${day}' AND _merchant_code = '${merchant}'`,
      )
    ).length;
  expect(await files(DAY, CODE)).toBe(3);
  expect(await files(DAY, SECOND)).toBe(2);
  const sealed = await lake.query(
    `SELECT count(*) AS n FROM days WHERE day = '${DAY}' AND merchantcode = '${SECOND}'`,
  );
  expect(Number(defined(sealed[0])['n'])).toBe(1);
});

it('latest_days has the figures of the service and of the mails, and its timestamps in UTC', async () => {
  const rows = await lake.query('SELECT * FROM latest_days ORDER BY day, merchant_code');
  expect(rows.map((row) => [row['day'], row['merchant_code']])).toEqual(
    DAYS.flatMap((day) => MERCHANTS.map((merchant) => [day, merchant])),
  );
  for (const [index, page] of (await newestPages()).entries()) {
    const { day, merchantCode, currency, timeZone, merchantName, pulledAt } = page;
    const { invoices, refunds } = made.world.payments.data.truth(merchantCode, day);
    const count = (status: string) => String(invoices.byStatus[status]?.count ?? 0);
    const amount = (status: string) => invoices.byStatus[status]?.total ?? '0.000';
    const balanced = !(day === DAY_BEFORE && merchantCode === THIRD);
    expect(rows[index]).toMatchObject({
      ...{ day, merchant_code: merchantCode, business_date: day, balanced },
      pulled_at: pulledAt.replace('T', ' ').replace('Z', ''),
      invoices: String(invoices.count + (balanced ? 0 : MISCOUNTED)),
      paid: count('1'),
      not_paid: count('0'),
      cancelled: count('3'),
      paid_amount: amount('1'),
      not_paid_amount: amount('0'),
      cancelled_amount: amount('3'),
      other_amount: '0.000',
      refunds: String(refunds.count),
      refund_amount: refunds.total,
      ...expectedFigures(page),
      ...{ currency, time_zone: timeZone, merchant_name: merchantName, words_from: 'page' },
    });
    expect(rows[index]?.['differences'] === '[]').toBe(balanced);
  }
});

it('rows of a page add up to what its mail says came in, by day, method and charge', async () => {
  for (const { day, merchantCode, charges = [], outcomes, pulledAt } of await newestPages()) {
    const rows = await lake.query(
      `SELECT state, method, received_date, amount, charge_of_paid, read_at FROM latest_invoices
       WHERE day = '${day}' AND merchant_code = '${merchantCode}'`,
    );
    const { paid } = defined(outcomes);
    const byDay = Map.groupBy(
      rows.filter(({ state }) => state === 'paid'),
      (row) => asText(row['received_date']),
    );
    expect([...byDay.keys()].toSorted()).toEqual(paid.map((one) => one.day));
    for (const one of paid) {
      const ofDay = defined(byDay.get(one.day));
      expect(one).toMatchObject(countedIn(ofDay));
      const borne = one.charges.filter(({ column }) => charges.includes(column));
      const charged = borne.reduce((sum, { total }) => sum + parseSum(defined(total)), 0n);
      expect(sumOf(ofDay, 'charge_of_paid')).toBe(formatAmount(charged));
      for (const part of one.byMethod) {
        const ofMethod = ofDay.filter((row) => row['method'] === part.method);
        expect(part).toMatchObject(countedIn(ofMethod));
      }
    }
    const others = rows.filter(({ state }) => state !== 'paid');
    expect(sumOf(others, 'charge_of_paid')).toBe('0.000');
    for (const row of rows) expect(row['read_at']).toBe(pulledAt.replace('T', ' ').replace('Z', ''));
  }
});

it.each(LAKE_VIEWS.map((view) => [view.name, view] as const))(
  '%s has the columns and types that are declared in Glue',
  async (name, view) => {
    expect(await lake.columns(`SELECT * FROM ${name}`)).toEqual(
      view.columns.map((column) => [column.name, column.type]),
    );
  },
);

it.each([
  ['latest_invoices', 'invoices/json/'],
  ['latest_refunds', 'refunds/json/'],
  ['latest_days', 'days/'],
])('a condition on the day limits the objects that %s reads', async (view, prefix) => {
  const opened = await keysOpened(made.world, ['days/', prefix], () =>
    lake.query(`SELECT * FROM ${view} WHERE day = '${DAY}'`),
  );
  const { world } = made;
  const ofTheDay = [...new Set(['days/', prefix])].flatMap((of) => world.keys(`${of}day=${DAY}/`));
  expect(opened).toEqual(ofTheDay.toSorted());
  expect(opened.length).toBeLessThan(world.keys(prefix).length + world.keys('days/').length);
});

/** Objects of two days are in the lake, and a query of one of them is asked for by its date. */
it.each([
  ['latest_days', 'days/', true],
  ['invoices', 'invoices/json/', true],
  ['latest_invoices', 'invoices/json/', false],
  ['latest_refunds', 'refunds/json/', false],
] as const)('a condition on the date may limit the objects that %s reads', async (name, prefix, limits) => {
  const date = name === 'invoices' ? 'CAST(day AS date)' : 'business_date';
  const opened = await keysOpened(made.world, [prefix], () =>
    lake.query(`SELECT * FROM ${name} WHERE ${date} = DATE '${DAY}'`),
  );
  const { world } = made;
  expect(opened).toEqual(world.keys(limits ? `${prefix}day=${DAY}/` : prefix).toSorted());
});

it('a query without a day lists each day of the range, and an empty day twice', async () => {
  const { requests } = made.world.aws;
  const before = requests.length;
  await lake.query('SELECT count(*) FROM latest_days');
  const listed = requests
    .slice(before)
    .filter(({ operation, key }) => operation === 'ListObjectsV2' && key?.startsWith('days/day='));
  const times = Map.groupBy(listed, ({ key }) => key);
  // The range begins thirty days before today and ends tomorrow.
  expect(times.size).toBe(32);
  for (const [key, lists] of times) {
    expect(lists, key).toHaveLength(DAYS.some((day) => key === `days/day=${day}/`) ? 1 : 2);
  }
});

it('both kinds of table give the same day of one merchant', async () => {
  const through = (condition: string, prefix: string) =>
    lake.query(
      `SELECT id, amount, description FROM ${prefix}invoices WHERE ${condition} AND day = '${DAY}' ORDER BY id, amount, description`,
    );
  const byMerchant = await through(`merchant = '${THIRD}'`, 'merchant_');
  expect(byMerchant.length).toBe(60);
  expect(byMerchant).toEqual(await through(`_merchant_code = '${THIRD}'`, ''));
});
