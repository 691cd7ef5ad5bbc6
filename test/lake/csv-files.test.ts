import { csvParseRows } from 'd3-dsv';
import { TABLES, dataFile, manifestSchema } from '#records/revision/manifest.ts';
import type { Manifest, Table } from '#records/revision/manifest.ts';
import type { Members } from '#records/json/exact-json.ts';
import { SHAPES, csvColumns } from '#records/rows/contract-columns.ts';
import { SERDES } from '#lib/constructs/glue-lake.ts';
import { LAKE_TABLES } from '#lib/lake/tables.ts';
import type { TrinoValue } from '#sandbox/trino/index.ts';
import { csvLine } from '#support/records/records.ts';
import { openLakeWorld } from '#support/lake/running-lake.ts';
import { defined, membersOf } from '#support/assertions/index.ts';
import { BUCKET } from '#support/world/daybook-world.ts';
import fc from 'fast-check';

const { made, lake } = await openLakeWorld();

/** The options as the table hands them to the SerDe. */
const { separatorChar, quoteChar, escapeChar, ...others } = SERDES.csv.parameters;

async function textOf(key: string): Promise<string> {
  const text = await made.world.text(key);
  expect(text.endsWith('\n')).toBe(true);
  return text;
}

function filesOf(table: Table): Promise<string[]> {
  return Promise.all(made.world.keys(`${table}/csv/`).map(textOf));
}

async function manifests(): Promise<Manifest[]> {
  const texts = await Promise.all(made.world.keys('days/').map((key) => made.world.text(key)));
  return texts.map((text) => manifestSchema.parse(JSON.parse(text)));
}

/** The expected cell for a value: the rules of the lake's CSV, written independently of the writer. */
function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text
    .split('\r\n')
    .join('\\n')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\n')
    .replaceAll('\uE000', '\uFFFD');
}

/** The expected cells of each row, from the JSON file of the same manifest. */
async function cellsFromJson(table: Table, key: string): Promise<string[][]> {
  return (await textOf(key))
    .split('\n')
    .slice(0, -1)
    .map((line) => {
      const exact = (_name: string, value: unknown, { source }: { source?: string }) =>
        typeof value === 'number' ? JSON.rawJSON(defined(source)) : value;
      const row = membersOf(JSON.parse(line, exact));
      const flat = new Map<string, unknown>();
      for (const [name, value] of Object.entries(row)) {
        flat.set(name, value);
        if (typeof value !== 'object' || value === null || Array.isArray(value)) continue;
        for (const [member, inner] of Object.entries(value)) flat.set(`${name}_${member}`, inner);
      }
      return csvColumns(table).map((name) => cell(flat.get(name)));
    });
}

it('the SerDe gets three options, and its escape character is not the backslash', () => {
  expect(others).toEqual({});
  expect([separatorChar, quoteChar]).toEqual([',', '"']);
  expect(escapeChar).toHaveLength(1);
  expect(['"', '\\', ',', '\0', '']).not.toContain(escapeChar);
});

describe.each(TABLES)('%s', (table) => {
  it('never contains the escape character, a carriage return or a byte order mark', async () => {
    const files = await filesOf(table);
    for (const text of files) {
      expect(text).not.toContain(escapeChar);
      expect(text).not.toContain('\r');
      expect(text.startsWith('\uFEFF')).toBe(false);
    }
    expect(files.length).toBeGreaterThan(6);
  });

  it('begins with one line of names, in the order of the columns', async () => {
    const columns = defined(LAKE_TABLES.find(({ name }) => name === `${table}_csv`)).columns;
    for (const text of await filesOf(table)) {
      expect(csvParseRows(defined(text.split('\n')[0]))).toEqual([columns.map(({ name }) => name)]);
    }
  });

  it('gives the cells of the JSON file, in its order', async () => {
    const columns = csvColumns(table).join(', ');
    let rows = 0;
    for (const manifest of await manifests()) {
      const key = dataFile(manifest, table, 'csv').key;
      const day = defined(/day=([^/]+)/.exec(key)?.[1]);
      const read = await lake.run(
        `SELECT ${columns} FROM ${table}_csv WHERE day = '${day}' AND "$path" = 's3://${BUCKET}/${key}'`,
      );
      expect(read.rows).toEqual(await cellsFromJson(table, dataFile(manifest, table, 'json').key));
      rows += read.rows.length;
    }
    expect(rows).toBeGreaterThan(50);
  });

  it('gives the same rows through the table by merchant', async () => {
    const one = `day = '2026-11-20'`;
    const columns = csvColumns(table).join(', ');
    const byMerchant = await lake.query(
      `SELECT ${columns} FROM merchant_${table}_csv WHERE ${one} AND merchant = '700003' ORDER BY id, "$path"`,
    );
    expect(byMerchant.length).toBeGreaterThan(0);
    expect(byMerchant).toEqual(
      await lake.query(
        `SELECT ${columns} FROM ${table}_csv WHERE ${one} AND _merchant_code = '700003' ORDER BY id, "$path"`,
      ),
    );
  });
});

/** What a table of these options reads from a text. */
async function readWith(text: string, columns: number): Promise<TrinoValue[][]> {
  await made.world.aws.s3.write(BUCKET, 'one/cells.csv', text);
  const names = Array.from({ length: columns }, (_, index) => `c${index} varchar`);
  await lake.run(
    `CREATE TABLE cells (${names.join(', ')}) WITH (external_location = 's3://${BUCKET}/one/', format = 'CSV', csv_escape = '${escapeChar}')`,
  );
  return (await lake.run('SELECT * FROM cells')).rows;
}

/** A refund whose members are these texts, one after the other and again from the first. */
function refundOf(texts: string[]): Members {
  const names = csvColumns('refunds').slice(3);
  const flat = names.map((name, index) => [name, texts[index % texts.length] ?? ''] as const);
  return membersOf(
    Object.fromEntries(
      SHAPES.refunds.map(({ name, members }) => {
        const of = (column: string) => flat.find(([own]) => own === column)?.[1];
        const inner = members?.map((member) => [member.name, of(`${name}_${member.name}`)] as const);
        return [name, inner === undefined ? of(name) : Object.fromEntries(inner)];
      }),
    ),
  );
}

it('every row that the writer writes is read as it was, by the rules for line breaks and the escape character', async () => {
  const text = fc.string({
    unit: fc.constantFrom('"', ',', '\\', ' ', '\t', 'n', "'", 'ش', '🙂', '\n', '\r', '\uE000'),
    maxLength: 6,
  });
  // One engine reads them all at once, so this is a sample and not a property.
  const rows = fc.sample(fc.array(text, { minLength: 5, maxLength: 20 }), { numRuns: 1_000, seed: 17 });
  const columns = csvColumns('refunds').length;
  const lines = rows.map((row) => `${csvLine('refunds', refundOf(row))}\n`);
  const expected = rows.map((row) => [
    ...['700001', '2026-11-20', ''],
    ...Array.from({ length: columns - 3 }, (_, index) => cell(row[index % row.length])),
  ]);
  expect(await readWith(lines.join(''), columns)).toEqual(expected);
});
