import { gunzipSync, gzipSync } from 'node:zlib';
import { dataFile } from '#records/revision/manifest.ts';
import { ledgerKey, manifestKey } from '#records/storage/keys.ts';
import type { TrinoLake } from '#sandbox/trino/index.ts';
import { openLakeOf } from '#support/lake/running-lake.ts';
import { defined } from '#support/assertions/index.ts';
import { BUCKET, CODE, DAY, shareWorld } from '#support/world/daybook-world.ts';

const world = shareWorld();
let lake: TrinoLake;
beforeAll(async () => {
  world.payments.data.seedDay(CODE, DAY, { invoices: 5, refunds: 5 });
  await world.report();
  lake = await openLakeOf(world);
});
afterAll(() => lake.close());

type ObjectTable = 'invoices' | 'refunds' | 'days' | 'mail';

/** The key of the object behind a table. */
async function keyOf(table: ObjectTable): Promise<string> {
  if (table === 'days') return manifestKey(DAY, CODE, 1);
  if (table === 'mail') return ledgerKey(DAY, CODE, 1);
  return dataFile(await world.manifest(1), table, 'json').key;
}

/** What `ask` gives while the table's object has one more line. */
async function withLine<T>(table: ObjectTable, line: string, ask: () => Promise<T>): Promise<T> {
  const key = await keyOf(table);
  const kept = defined(await world.aws.s3.read(BUCKET, key));
  const zipped = key.endsWith('.gz');
  const text = `${(zipped ? gunzipSync(kept) : kept).toString('utf8').trimEnd()}\n${line}\n`;
  await world.aws.s3.write(BUCKET, key, zipped ? gzipSync(text) : text);
  try {
    return await ask();
  } finally {
    await world.aws.s3.write(BUCKET, key, kept);
  }
}

/** Lines that are not one object with the members of a record. */
const NO_RECORDS = ['', '[1,2]', 'null', 'not JSON', '{}'];

describe('a line that is no record', () => {
  it.each(NO_RECORDS)('is one more row of the table, without an id: %j', async (line) => {
    const rows = await withLine('invoices', line, () => lake.query('SELECT id, amount FROM invoices'));
    expect(rows).toHaveLength(6);
    expect(rows.at(-1)).toEqual({ id: null, amount: null });
  });

  it.each(NO_RECORDS)('stops a query of a view, which would count it: %j', async (line) => {
    for (const table of ['invoices', 'refunds'] as const) {
      const key = await keyOf(table);
      const count = withLine(table, line, () => lake.query(`SELECT count(*) FROM latest_${table}`));
      await expect(count).rejects.toThrow(`a line is no record of its page: s3://${BUCKET}/${key}`);
      expect(await lake.query(`SELECT count(*) AS n FROM latest_${table}`)).toEqual([{ n: '5' }]);
    }
  });

  it.each(['', '[1,2]'])('stops a query of the mail when it is in a ledger: %j', async (line) => {
    const count = withLine('mail', line, () => lake.query('SELECT count(*) FROM latest_mail'));
    await expect(count).rejects.toThrow(`a line is no ledger: day ${DAY}`);
  });

  it.each(['', '[1,2]'])('stops a query when it is in a manifest: %j', async (line) => {
    const count = withLine('days', line, () => lake.query('SELECT count(*) FROM latest_days'));
    await expect(count).rejects.toThrow(`a line is no manifest: day ${DAY}`);
  });
});

it('a record of another merchant or day in a file of a page stops a query of a view', async () => {
  const key = await keyOf('invoices');
  const text = gunzipSync(defined(await world.aws.s3.read(BUCKET, key))).toString('utf8');
  const line = defined(text.split('\n')[0]);
  for (const other of [line.replace(`"${CODE}"`, '"700009"'), line.replace(`"${DAY}"`, '"2026-11-19"')]) {
    expect(other).not.toBe(line);
    const count = withLine('invoices', other, () => lake.query('SELECT count(*) FROM latest_invoices'));
    await expect(count).rejects.toThrow('a line is no record of its page');
  }
});

it('a line that ends within its JSON stops a query of the table', async () => {
  for (const line of ['{"id":', '[1,2']) {
    const count = withLine('invoices', line, () => lake.query('SELECT id FROM invoices'));
    await expect(count).rejects.toThrow('HIVE_CURSOR_ERROR');
  }
});

it('what follows an object on its line is not read', async () => {
  const rows = await withLine('invoices', '{"id":1} and more', () => lake.query('SELECT id FROM invoices'));
  expect(rows.at(-1)).toEqual({ id: '1' });
});
