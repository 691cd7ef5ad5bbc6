import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { it as test } from 'vitest';
import * as fc from 'fast-check';
import * as z from 'zod';
import { REGISTERED_MERCHANTS } from '#records/storage/keys.ts';
import type { RegisteredMerchant } from '#lake/sql/registered-merchant.ts';
import { QUALITY_RULES, ruleQuery } from '#lake/sql/statements/rules.ts';
import { LATEST_INVOICES, LATEST_REFUNDS } from '#lake/sql/views/latest.ts';
import { formatAmount, parseSum } from '#records/money/money.ts';
import { paymentMethod } from '#records/figures/breakdown-tally.ts';
import { csvColumns } from '#records/rows/contract-columns.ts';
import { DUCKDB_FILE, DUCKDB_MAIL_FILE } from '#scripts/data-dictionary.ts';
import {
  DUCKDB_MAIL_VIEWS,
  DUCKDB_VIEWS,
  duckdbMail,
  duckdbViews,
  translated,
} from '#scripts/duckdb-views.ts';
import { defined } from '#support/assertions/index.ts';
import { HAS_DUCKDB, pythonOver, rowsSchema, spelled } from '#support/lake/duckdb.ts';
import { expectedRow } from '#support/lake/expected.ts';
import {
  HOSTILE_TEXTS,
  DAY_BEFORE,
  TODAY,
  startLakeWorld,
  type LakeWorld,
} from '#support/lake/lake-world.ts';
import { asText, keysOpened } from '#support/lake/running-lake.ts';
import { runScript } from '#support/run-script.ts';
import { BUCKET, CODE, DAY } from '#support/world/daybook-world.ts';

const ROOT = join(import.meta.dirname, '../..');
const CSV_OF_ONE_PAGE = join('invoices/csv', `day=${DAY}`, `merchant=${CODE}`);

const it = HAS_DUCKDB ? test : test.skip;

let made: LakeWorld;
let folder: string;
beforeAll(async () => {
  made = await startLakeWorld();
  // With a quote in its name.
  folder = mkdtempSync(join(tmpdir(), "daybook's lake-"));
  cpSync(made.world.folder, folder, { recursive: true });
}, 300_000);
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await made.close();
});

const python = <T>(schema: z.ZodType<T>, program: string, input?: string) =>
  pythonOver(folder, schema, program, input);

const inOrder = (rows: Record<string, unknown>[]) =>
  rows
    .map(spelled)
    .toSorted((one, other) => (BigInt(String(one['id'])) < BigInt(String(other['id'])) ? -1 : 1));

test("Excel's query makes numbers of columns of amounts alone, and leaves all others texts", () => {
  const query = readFileSync(join(ROOT, 'docs/recipes/lake.pq'), 'utf8');
  const [, listed] = /List\.Select\(\{([^}]+)\}/.exec(query) ?? [];
  const amounts = defined(listed)
    .split(', ')
    .map((name) => name.slice(1, -1));
  const units = [...LATEST_INVOICES.columns, ...LATEST_REFUNDS.columns]
    .filter(({ type }) => type === 'decimal(38,3)')
    .map(({ name }) => name);
  expect(amounts.length).toBeGreaterThan(3);
  for (const columns of [units, csvColumns('invoices')])
    expect(columns).toEqual(expect.arrayContaining(amounts));
});

it('lake.sql is made from the definitions (npm run dictionary writes it)', () => {
  expect(readFileSync(DUCKDB_FILE, 'utf8')).toBe(duckdbViews());
  expect(readFileSync(DUCKDB_MAIL_FILE, 'utf8')).toBe(duckdbMail());
});

const invoicesInTruth = () => made.truth.filter(({ kind }) => kind === 'invoice').map(expectedRow);

/** How a program opens the lake in a folder, and in a bucket. */
const OPENED = {
  'a folder': () => 'lake = open_lake(sys.argv[2])',
  'a bucket': () => {
    const { host } = new URL(defined(made.world.environment['AWS_ENDPOINT_URL_S3']));
    const secret = `TYPE s3, KEY_ID 'x', SECRET 'x', ENDPOINT '${host}', USE_SSL false, URL_STYLE 'path'`;
    return `
import duckdb_ext
connection = duckdb.connect()
duckdb_ext.init(connection)
connection.load_extension('httpfs')
connection.execute("CREATE SECRET (${secret})")
lake = open_lake('s3://${BUCKET}', connection=connection)`;
  },
};

describe.each(Object.entries(OPENED))('over %s', (_, opened) => {
  it.each([
    ['latest_invoices', 'invoice'],
    ['latest_refunds', 'refund'],
  ] as const)('%s has every record of the newest revisions, value for value', async (view, kind) => {
    const program = `${opened()}\nprint(json.dumps(rows(lake.sql("SELECT * FROM ${view}"))))`;
    const read = inOrder(await python(rowsSchema, program));
    const expected = made.truth.filter((stored) => stored.kind === kind).map(expectedRow);
    expect(read).toHaveLength(expected.length);
    for (const [index, row] of inOrder(expected).entries()) expect(read[index]).toMatchObject(row);
  });
});

it('every view has the columns of the lake, with their types', async () => {
  const views = [...DUCKDB_VIEWS, ...DUCKDB_MAIL_VIEWS];
  const program = `lake = with_mail(open_lake(sys.argv[2]))
print(json.dumps({view: [row[:2] for row in lake.sql(f"DESCRIBE {view}").fetchall()] for view in ${JSON.stringify(views.map(({ name }) => name))}}))`;
  const types: Record<string, string> = { 'timestamp(3)': 'TIMESTAMP_MS', 'array(varchar)': 'VARCHAR[]' };
  expect(await python(z.record(z.string(), z.unknown()), program)).toEqual(
    Object.fromEntries(
      views.map(({ name, columns }) => [
        name,
        columns.map((column) => [column.name, types[column.type] ?? column.type.toUpperCase()]),
      ]),
    ),
  );
});

it('rows have states, and what they say came in is what their days say', async () => {
  const program = `${OPENED['a folder']()}
print(json.dumps([rows(lake.sql(sql)) for sql in [
    "SELECT state, invoice_status AS status, count(*) AS n FROM all_invoices GROUP BY ALL ORDER BY ALL",
    "SELECT merchant_code, currency, sum(amount) AS came_in FROM all_invoices WHERE received_date = DATE '${DAY}' GROUP BY ALL ORDER BY ALL",
    "SELECT merchant_code, currency, sum(amount) AS came_in FROM payments WHERE received_date = DATE '${DAY}' GROUP BY ALL ORDER BY ALL",
    "SELECT merchant_code, currency, came_in FROM all_days WHERE day = '${DAY}' ORDER BY ALL",
]]))`;
  const [states, ofRows, ofPayments, ofDays] = await python(
    z.tuple([rowsSchema, rowsSchema, rowsSchema, rowsSchema]),
    program,
  );
  const words: Record<string, string> = { '0': 'not_paid', '1': 'paid', '3': 'cancelled' };
  const counted = Map.groupBy(invoicesInTruth(), (row) => asText(row['invoice_status']));
  expect(states).toEqual(
    [...counted]
      .map(([status, { length }]) => ({ state: words[status] ?? 'other', status, n: String(length) }))
      .toSorted((one, other) => (one.state < other.state ? -1 : 1)),
  );
  expect(ofRows).toEqual(ofDays);
  expect(ofPayments).toEqual(ofDays);
  expect(ofDays).toHaveLength(3);
});

it('the method of a row is that of the mails, whatever the text', async () => {
  const character = fc.constantFrom('x', 'ش', '😀', '\u2028', '\u00a0', '\ufeff', '\n', '\t', ' ', '\u0085');
  const lengths = fc.sample(fc.string({ unit: character, maxLength: 130 }), { numRuns: 500, seed: 7 });
  const texts = [...lengths, ...Object.values(HOSTILE_TEXTS), ...['', '\ufeff ', '😀'.repeat(61)]];
  const { expression = '' } = LATEST_INVOICES.columns.find(({ name }) => name === 'method') ?? {};
  const program = `${OPENED['a folder']()}
method, texts = json.load(sys.stdin)
ask = lambda text: lake.execute(f"SELECT {method} FROM (SELECT {{'payment_type': $text}} AS transaction) AS r", {"text": text}).fetchall()[0][0]
print(json.dumps([ask(text) for text in texts]))`;
  const methods = texts.map((text) => paymentMethod({ transaction: { payment_type: text } }));
  const input = JSON.stringify([translated(expression), texts]);
  expect(await python(z.array(z.string().nullable()), program, input)).toEqual(methods);
});

/** What breaks each rule, in the history of {@link DAY} on a day. */
const BREAKING: readonly (readonly [rule: string, sql: string, today: string])[] = [
  ...['invoices', 'refunds'].flatMap((rows): [string, string, string][] => {
    const one = `WHERE id = (SELECT min(id) FROM ${rows}_history WHERE day = '${DAY}' AND merchant_code = '${CODE}')`;
    return [
      [`rows-of-${rows}`, `DELETE FROM ${rows}_history ${one}`, TODAY],
      [`keys-of-${rows}`, `INSERT INTO ${rows}_history SELECT * FROM ${rows}_history ${one}`, TODAY],
      [`sums-of-${rows}`, `UPDATE ${rows}_history SET amount = amount + 0.001 ${one}`, TODAY],
    ];
  }),
  ['keys-of-days', 'INSERT INTO days_history SELECT * FROM days_history LIMIT 1', TODAY],
  ['newest-day', 'SELECT 1', '2026-11-24'],
];

it('every rule of the lake holds over hostile rows, corrections and pages that do not balance, until it is broken', async () => {
  const program = `${OPENED['a folder']()}
for name in ["invoices", "refunds", "days"]: lake.sql(f"CREATE TABLE {name}_history AS FROM latest_{name}")
def broken(today): return [name for name, sql in rules if lake.sql(sql.replace("current_date", f"DATE '{today}'")).fetchall()[0][0] > 0]
rules, breaking = json.loads(sys.stdin.read())
good = broken("${TODAY}")
bad = {}
for rule, sql, today in breaking:
    lake.begin(); lake.execute(sql); bad[rule] = broken(today); lake.rollback()
print(json.dumps([good, bad]))`;
  const rules = QUALITY_RULES.map((rule) => [rule.name, translated(ruleQuery(rule))]);
  const schema = z.tuple([z.array(z.string()), z.record(z.string(), z.array(z.string()))]);
  const [good, bad] = await python(schema, program, JSON.stringify([rules, BREAKING]));
  expect(good).toEqual([]);
  expect(Object.keys(bad).toSorted()).toEqual(QUALITY_RULES.map(({ name }) => name).toSorted());
  for (const [rule, found] of Object.entries(bad)) expect(found).toContain(rule);
});

it('merchants are those of the registry, once the lake has read it, and none before', async () => {
  const file = join(folder, REGISTERED_MERCHANTS);
  const merchant: RegisteredMerchant = {
    ...{ merchantCode: CODE, name: 'Al Noor', timeZone: 'Asia/Kuwait', currency: 'KWD' },
    ...{ invoiceStatuses: null, refundStatuses: {}, charges: [], groups: ['shops'] },
    ...{ since: '2026-11-20T03:00:00.000Z', until: null },
  };
  const ask = () =>
    python(rowsSchema, `${OPENED['a folder']()}\nprint(json.dumps(rows(lake.sql("FROM merchants"))))`);
  expect(await ask()).toEqual([]);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(merchant)}\n`);
  expect(await ask()).toEqual([
    {
      ...{ code: CODE, name: 'Al Noor', time_zone: 'Asia/Kuwait', currency: 'KWD' },
      ...{ since: '2026-11-20 03:00:00.000', groups: ['shops'] },
    },
  ]);
  rmSync(file);
});

it('a condition on the day leaves the files of other days unread', async () => {
  const program = `${OPENED['a bucket']()}
print(json.dumps(plain(lake.sql("SELECT sum(amount) FROM all_invoices WHERE day = '${DAY}'").fetchall()[0][0])))`;
  const keys = await keysOpened(made.world, ['invoices/', 'days/', 'refunds/'], () =>
    python(z.string(), program),
  );
  const ofTheDay = ['days', 'invoices/json'].flatMap((prefix) => made.world.keys(`${prefix}/day=${DAY}/`));
  expect(keys).toEqual(ofTheDay.toSorted());
});

it('a line that is no record stops a query, with the name of its object', async () => {
  const key = defined(made.world.keys(`days/day=${DAY_BEFORE}/`)[0]);
  const whole = readFileSync(join(folder, key));
  writeFileSync(join(folder, key), '{"merchantCode":\n');
  try {
    const asked = python(
      z.unknown(),
      `lake = open_lake(sys.argv[2])\nlake.sql("SELECT * FROM all_days").fetchall()`,
    );
    await expect(asked).rejects.toThrow(`a line is no manifest: day ${DAY_BEFORE}`);
  } finally {
    writeFileSync(join(folder, key), whole);
  }
});

it('pandas and Polars have amounts without floats, and sums to the thousandth', async () => {
  const program = `
lake = open_lake(sys.argv[2])
frames = {view: (to_pandas(lake.sql(f"SELECT * FROM {view}")), to_polars(lake.sql(f"SELECT * FROM {view}"))) for view in ["all_invoices", "all_refunds", "all_days"]}
print(json.dumps({view: {
    "pandas": sorted(str(name) for name, dtype in one.dtypes.items() if "float" in str(dtype).lower() or "double" in str(dtype).lower() or str(dtype) == "object"),
    "polars": sorted(name for name, dtype in other.schema.items() if dtype.is_float()),
    "sums": [plain(one["amount"].sum()), plain(other["amount"].sum())] if "amount" in one else [],
    "ids": [sorted(one["id"].tolist()) == sorted(other["id"].to_list())] if "id" in one else [],
} for view, (one, other) in frames.items()}))`;
  const found = await python(z.record(z.string(), z.record(z.string(), z.array(z.unknown()))), program);
  const total = (kind: string) => {
    const stored = made.truth.filter((one) => one.kind === kind);
    return formatAmount(stored.reduce((sum, { record }) => sum + parseSum(String(record['amount'])), 0n));
  };
  // The contract's JSON numbers, which are passed through.
  const numbers = ['transaction_admin_charge', 'transaction_amount'];
  const [invoices, refunds] = [total('invoice'), total('refund')];
  expect(found).toEqual({
    all_invoices: { pandas: [], polars: [], sums: [invoices, invoices], ids: [true] },
    all_refunds: { pandas: numbers, polars: numbers, sums: [refunds, refunds], ids: [true] },
    all_days: { pandas: [], polars: [], sums: [], ids: [] },
  });
});

it('a CSV file of the lake is read as texts: no digit of a long id is lost, and empty is not null', async () => {
  const program = `
import glob
path = sorted(glob.glob(sys.argv[2] + "/${CSV_OF_ONE_PAGE}/*.gz"))[-1]
print(json.dumps([csv_in_pandas(path).to_dict("records"), csv_in_polars(path).to_dicts()]))`;
  const [pandas, polars] = await python(z.tuple([rowsSchema, rowsSchema]), program);
  expect(pandas).toEqual(polars);
  const long = pandas.filter((row) => /^\d{18}$/.test(String(row['transaction_payment_id'])));
  expect(long.length).toBeGreaterThan(20);
  expect(pandas.some((row) => row['transaction_payment_id'] === '')).toBe(true);
  const sealed = new Map(invoicesInTruth().map((row) => [row['id'], row['transaction_payment_id']]));
  for (const row of pandas) expect(row['transaction_payment_id']).toBe(sealed.get(String(row['id'])) ?? '');
});

it('npm run lake answers a question, and says what is missing where there is no lake', async () => {
  const ask = (...args: string[]) => runScript('scripts/lake.ts', args);
  const answered = await ask('--lake', folder, '--days', DAY, '--ask', 'SELECT DISTINCT day FROM all_days');
  expect(answered).toMatchObject({ code: 0, complaints: '' });
  expect(answered.out).toContain(DAY);
  expect(answered.out).not.toContain(DAY_BEFORE);
  const nowhere = await ask('--lake', join(folder, 'nowhere'));
  expect(nowhere).toMatchObject({ code: 2, out: '' });
  expect(nowhere.complaints).toContain('has no days; npm start makes some');
});
