import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import addFormats from 'ajv-formats';
import { Ajv2019 } from 'ajv/dist/2019.js';
import * as z from 'zod';
import { HISTORY_TABLES } from '#lake/sql/history-tables.ts';
import { QUALITY_RULES } from '#lake/sql/statements/rules.ts';
import { LAKE_TABLES } from '#lib/lake/tables.ts';
import { LAKE_VIEWS } from '#lib/lake/views/index.ts';
import { CONTRACT_FILE } from '#scripts/data-dictionary.ts';
import { lakeContract } from '#scripts/lake-contract.ts';

const SCHEMA = join(import.meta.dirname, '../fixtures/odcs/odcs-json-schema-v3.1.0.json');
const ajv = new Ajv2019({ strict: false, allErrors: true });
addFormats.default(ajv);
const isOdcs = ajv.compile(z.record(z.string(), z.unknown()).parse(JSON.parse(readFileSync(SCHEMA, 'utf8'))));

const column = z.looseObject({ name: z.string(), required: z.boolean(), description: z.string().min(4) });
const contractSchema = z.looseObject({
  schema: z.array(
    z.looseObject({
      name: z.string(),
      properties: z.array(column).optional(),
      quality: z.array(z.looseObject({ name: z.string() })).default([]),
    }),
  ),
});
const text = readFileSync(CONTRACT_FILE, 'utf8');
const contract = contractSchema.parse(JSON.parse(text));

it('the contract of the lake agrees with the definitions (npm run dictionary writes it)', () => {
  expect(text).toBe(lakeContract());
});

it('is a contract of the Open Data Contract Standard 3.1', () => {
  expect(isOdcs(JSON.parse(text)), JSON.stringify(isOdcs.errors)).toBe(true);
  expect(isOdcs({ ...contract, version: undefined })).toBe(false);
});

it('has every view and table with its columns, and every quality rule', () => {
  const columns = new Map(
    contract.schema.map(({ name, properties = [] }) => [name, properties.map((each) => each.name)]),
  );
  for (const { name, columns: expected } of [...LAKE_VIEWS, ...HISTORY_TABLES])
    expect(columns.get(name), name).toEqual(expected.map((each) => each.name));
  for (const { name, columns: expected, partitions } of LAKE_TABLES) {
    const all = [...expected.map((each) => each.name.toLowerCase()), ...partitions];
    expect(columns.get(name), name).toEqual(name.startsWith('merchant_') ? [] : all);
  }
  expect(columns.size).toBe(LAKE_VIEWS.length + HISTORY_TABLES.length + LAKE_TABLES.length);
  const rules = contract.schema.flatMap(({ quality }) => quality.map(({ name }) => name));
  expect(rules.toSorted()).toEqual(QUALITY_RULES.map(({ name }) => name).toSorted());
});
