import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TABLES, dataFile, manifestSchema } from '#domain/revision/manifest.ts';
import type { Table } from '#domain/revision/manifest.ts';
import { csvColumns } from '#domain/records/row-shape.ts';
import { serdeOf } from '#lib/lake/serde.ts';
import { LAKE_TABLES } from '#lib/lake/tables/index.ts';
import { DuckDbLake } from '#support/lake/duckdb-lake.ts';
import type { Row } from '#support/lake/duckdb-lake.ts';
import { TODAY, startLakeWorld } from '#support/lake/lake-world.ts';
import type { LakeWorld } from '#support/lake/lake-world.ts';
import { readOpenCsvLine } from '#support/lake/open-csv-rules.ts';
import type { OpenCsvOptions } from '#support/lake/open-csv-rules.ts';
import { HOSTILE_TEXTS } from '#support/lake/hostile-texts.ts';
import { defined } from '#support/assertions/defined.ts';
import { recordOf } from '#support/assertions/record-of.ts';

let made: LakeWorld;
let lake: DuckDbLake;
beforeAll(async () => {
  made = await startLakeWorld();
  lake = await DuckDbLake.open(made.directory, { today: TODAY });
});
afterAll(async () => {
  lake.close();
  await made.close();
});

/** The options as the table hands them to the SerDe. */
const { separatorChar, quoteChar, escapeChar, ...others } = serdeOf({ format: 'csv' }).parameters;
const options: OpenCsvOptions = {
  separator: defined(separatorChar),
  quote: defined(quoteChar),
  escape: defined(escapeChar),
};

function filesOf(table: Table): string[] {
  return globSync(`${table}/csv/day=*/merchant=*/*.csv.gz`, { cwd: made.directory }).map((key) =>
    gunzipSync(readFileSync(join(made.directory, key))).toString('utf8'),
  );
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
function cellsFromJson(table: Table, key: string): string[][] {
  const text = gunzipSync(readFileSync(join(made.directory, key))).toString('utf8');
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => {
      const exact = (_name: string, value: unknown, { source }: { source?: string }) =>
        typeof value === 'number' ? JSON.rawJSON(defined(source)) : value;
      const row = recordOf(JSON.parse(line, exact));
      const flat = new Map<string, unknown>();
      for (const [name, value] of Object.entries(row)) {
        flat.set(name, value);
        if (typeof value !== 'object' || value === null || Array.isArray(value)) continue;
        for (const [member, inner] of Object.entries(value)) flat.set(`${name}_${member}`, inner);
      }
      return csvColumns(table).map((name) => cell(flat.get(name)));
    });
}

function manifests() {
  return globSync('days/day=*/merchant=*/*.json', { cwd: made.directory }).map((key) =>
    manifestSchema.parse(JSON.parse(readFileSync(join(made.directory, key), 'utf8'))),
  );
}

it('the SerDe gets three options, and its escape character is not the backslash', () => {
  expect(others).toEqual({});
  expect(options.escape).toHaveLength(1);
  expect(['"', '\\', ',', '\0', '']).not.toContain(options.escape);
});

describe.each(TABLES)('%s', (table) => {
  it('has one line for each row, whatever the values', () => {
    for (const text of filesOf(table)) {
      expect(text.endsWith('\n')).toBe(true);
      expect(text).not.toContain('\r');
      expect(text.startsWith('\uFEFF')).toBe(false);
      for (const line of text.split('\n').slice(0, -1)) {
        expect(readOpenCsvLine(line, options)).toHaveLength(csvColumns(table).length);
      }
    }
    expect(filesOf(table).length).toBeGreaterThan(6);
  });

  it('never contains the escape character', () => {
    for (const text of filesOf(table)) expect(text).not.toContain(options.escape);
  });

  it('begins with one line of names, in the order of the columns', () => {
    const columns = defined(LAKE_TABLES.find(({ name }) => name === `${table}_csv`)).columns;
    for (const text of filesOf(table)) {
      const header = readOpenCsvLine(defined(text.split('\n')[0]), options);
      expect(header).toEqual(columns.map(({ name }) => name));
    }
  });

  it('gives the values of the JSON file when it is read by the rules of the SerDe', () => {
    let rows = 0;
    for (const manifest of manifests()) {
      const csv = gunzipSync(
        readFileSync(join(made.directory, dataFile(manifest, table, 'csv').key)),
      ).toString('utf8');
      const read = csv
        .split('\n')
        .slice(1, -1)
        .map((line) => readOpenCsvLine(line, options));
      expect(read).toEqual(cellsFromJson(table, dataFile(manifest, table, 'json').key));
      rows += read.length;
    }
    expect(rows).toBeGreaterThan(50);
  });

  it('gives the values of the JSON file when DuckDB reads it', async () => {
    for (const manifest of manifests()) {
      const rows = await lake.query(
        `SELECT * FROM ${table}_csv WHERE "$path" = 's3://the-bucket/${dataFile(manifest, table, 'csv').key}'`,
      );
      const cells = rows.map((row: Row) => csvColumns(table).map((name) => row[name]));
      expect(cells).toEqual(cellsFromJson(table, dataFile(manifest, table, 'json').key));
    }
  });

  it('gives the same rows through the table by merchant', async () => {
    const one = `day = '2026-11-20'`;
    const columns = csvColumns(table).join(', ');
    const byMerchant = await lake.query(
      `SELECT ${columns} FROM merchant_${table}_csv WHERE ${one} AND merchant = '700003' ORDER BY ALL`,
    );
    expect(byMerchant.length).toBeGreaterThan(0);
    expect(byMerchant).toEqual(
      await lake.query(
        `SELECT ${columns} FROM ${table}_csv WHERE ${one} AND _merchant_code = '700003' ORDER BY ALL`,
      ),
    );
  });
});

it('a backslash as escape character would lose characters of these files', () => {
  const line = defined(
    filesOf('invoices')
      .flatMap((text) => text.split('\n'))
      .find((candidate) => candidate.includes('C:\\new')),
  );
  expect(readOpenCsvLine(line, { ...options, escape: '\\' })).not.toEqual(readOpenCsvLine(line, options));
  expect(readOpenCsvLine(line, options)).toContain(HOSTILE_TEXTS['a backslash before a quote']);
});
