import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it as test } from 'vitest';
import * as z from 'zod';
import { REGISTERED_MERCHANTS } from '#records/storage/keys.ts';
import type { RegisteredMerchant } from '#lake/sql/registered-merchant.ts';
import { QUALITY_RULES, ruleQuery } from '#lake/sql/statements/rules.ts';
import { LATEST_INVOICES, LATEST_REFUNDS } from '#lake/sql/views/latest.ts';
import { csvColumns } from '#records/rows/contract-columns.ts';
import { UnavailableError } from '#sandbox/outside-program.ts';
import { DUCKDB_FILE } from '#scripts/data-dictionary.ts';
import { DUCKDB_VIEWS, duckdbViews, translated } from '#scripts/duckdb-views.ts';
import { lakePrograms } from '#scripts/lake.ts';
import { defined } from '#support/assertions/defined.ts';
import { expectedRow } from '#support/lake/expected-rows.ts';
import { DAY_BEFORE, TODAY, startLakeWorld, type LakeWorld } from '#support/lake/lake-world.ts';
import { asText } from '#support/lake/same-rows.ts';
import { keysOpened } from '#support/lake/open-lake.ts';
import { MAY_SKIP } from '#support/may-skip.ts';
import { runScript } from '#support/run-script.ts';
import { BUCKET, CODE, DAY } from '#support/world/daybook-world.ts';

const execute = promisify(execFile);
const ROOT = join(import.meta.dirname, '../..');
const CSV_OF_ONE_PAGE = join('invoices/csv', `day=${DAY}`, `merchant=${CODE}`);

/** The folder of Python. Without Python and its packages the tests are skipped, but not in continuous integration. */
const programs = await lakePrograms().catch((error: unknown) => {
  if (MAY_SKIP && error instanceof UnavailableError) return undefined;
  throw error;
});
const it = programs === undefined ? test.skip : test;

let made: LakeWorld;
let folder: string;
beforeAll(async () => {
  made = await startLakeWorld();
  const { world } = made;
  folder = mkdtempSync(join(tmpdir(), "daybook's lake-"));
  for (const key of world.keys()) {
    mkdirSync(dirname(join(folder, key)), { recursive: true });
    writeFileSync(join(folder, key), defined(await world.aws.s3.read(BUCKET, key)));
  }
}, 300_000);
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await made.close();
});

/** The beginning of each program: values as texts, as the tests of the lake have them. */
const BEGIN = `
import datetime, decimal, json, sys
sys.path.insert(0, sys.argv[1])
from lake import *
def plain(value):
    if isinstance(value, bool) or value is None or isinstance(value, (str, float)): return value
    if isinstance(value, decimal.Decimal): return format(value, 'f')
    if isinstance(value, datetime.datetime): return value.isoformat(' ', 'milliseconds')
    if isinstance(value, list): return [plain(each) for each in value]
    return str(value)
def rows(relation):
    return [dict(zip(relation.columns, map(plain, row))) for row in relation.fetchall()]
`;

/** What a program with the recipe prints, as JSON. Its second argument is the folder. */
async function python<T>(schema: z.ZodType<T>, program: string, input = ''): Promise<T> {
  const args = ['-I', '-X', 'utf8', '-c', BEGIN + program, join(ROOT, 'docs/recipes'), folder];
  const running = execute(join(defined(programs), 'python'), args, { maxBuffer: 2 ** 26, timeout: 120_000 });
  running.child.stdin?.end(input);
  const { stdout } = await running;
  return schema.parse(JSON.parse(stdout));
}

const rowsSchema = z.array(z.record(z.string(), z.unknown()));

/** Compares JSON in text columns by value: engines write some escapes differently. */
function spelled(row: Record<string, unknown>): Record<string, unknown> {
  const json = Object.entries(row).filter(([, value]) => typeof value === 'string' && /^[[{]/.test(value));
  return { ...row, ...Object.fromEntries(json.map(([name, value]) => [name, parsed(String(value))])) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const inOrder = (rows: Record<string, unknown>[]) =>
  rows
    .map(spelled)
    .toSorted((one, other) => (BigInt(String(one['id'])) < BigInt(String(other['id'])) ? -1 : 1));

test("Excel's query makes numbers of columns of amounts alone, and leaves all others texts", () => {
  const query = readFileSync(join(ROOT, 'docs/recipes/lake.pq'), 'utf8');
  const amounts = /List\.Select\(\{([^}]+)\}/
    .exec(query)?.[1]
    ?.split(', ')
    .map((name) => name.slice(1, -1));
  const units = [...LATEST_INVOICES.columns, ...LATEST_REFUNDS.columns]
    .filter(({ type }) => type === 'decimal(38,3)')
    .map(({ name }) => name);
  expect(amounts?.length).toBeGreaterThan(3);
  expect(units).toEqual(expect.arrayContaining(amounts ?? []));
  for (const name of amounts ?? []) expect(csvColumns('invoices')).toContain(name);
});

it('lake.sql is made from the definitions (npm run dictionary writes it)', () => {
  expect(readFileSync(DUCKDB_FILE, 'utf8')).toBe(duckdbViews());
});

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
  const program = `lake = open_lake(sys.argv[2])
print(json.dumps({view: [row[:2] for row in lake.sql(f"DESCRIBE {view}").fetchall()] for view in ${JSON.stringify(DUCKDB_VIEWS.map(({ name }) => name))}}))`;
  const types: Record<string, string> = { 'timestamp(3)': 'TIMESTAMP_MS', 'array(varchar)': 'VARCHAR[]' };
  expect(await python(z.record(z.string(), z.unknown()), program)).toEqual(
    Object.fromEntries(
      DUCKDB_VIEWS.map(({ name, columns }) => [
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
  const invoices = made.truth.filter(({ kind }) => kind === 'invoice').map(expectedRow);
  const counted = Map.groupBy(invoices, (row) => asText(row['invoice_status']));
  expect(states).toEqual(
    [...counted]
      .map(([status, { length }]) => ({ state: words[status] ?? 'other', status, n: String(length) }))
      .toSorted((one, other) => (one.state < other.state ? -1 : 1)),
  );
  expect(ofRows).toEqual(ofDays);
  expect(ofPayments).toEqual(ofDays);
  expect(ofDays).toHaveLength(3);
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
  // The first manifest stands for the file of merchants, which is not there yet.
  const [first = ''] = made.world.keys('days/');
  expect(keys).toEqual([first, ...ofTheDay].toSorted());
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
    const amounts = made.truth
      .filter((stored) => stored.kind === kind)
      .map(({ record }) => String(record['amount']));
    const thousandths = amounts.reduce((sum, amount) => sum + BigInt(amount.replace('.', '')), 0n).toString();
    return `${thousandths.slice(0, -3)}.${thousandths.slice(-3)}`;
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
  const sealed = new Map(
    made.truth
      .filter(({ kind }) => kind === 'invoice')
      .map(expectedRow)
      .map((row) => [row['id'], row]),
  );
  for (const row of pandas) {
    expect(row['transaction_payment_id']).toBe(
      sealed.get(String(row['id']))?.['transaction_payment_id'] ?? '',
    );
  }
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
