import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { changeMarker } from '#records/storage/change-marker.ts';
import {
  alertLedgerKey,
  alertStateKey,
  changeKey,
  dataKey,
  ledgerKey,
  manifestKey,
  opsNoticeKey,
  pageKey,
  pageLedgerKey,
} from '#records/storage/keys.ts';
import { viewSql } from '#lake/sql/lake-view.ts';
import { NAMED_QUERIES } from '#lib/lake/queries/index.ts';
import { LAKE_VIEWS } from '#lib/lake/views/index.ts';
import { synthesise, propertiesOf } from '#support/stacks/synthesised.ts';
import { defined } from '#support/assertions/index.ts';
import * as z from 'zod';

const tableInputSchema = z.object({
  Name: z.string(),
  TableType: z.string(),
  Parameters: z.record(z.string(), z.unknown()),
  PartitionKeys: z.array(z.object({ Name: z.string(), Type: z.string() })),
  ViewOriginalText: z.string().optional(),
  ViewExpandedText: z.string().optional(),
  StorageDescriptor: z.object({
    Location: z.unknown().optional(),
    Columns: z.array(z.object({ Name: z.string(), Type: z.string(), Comment: z.string() })),
    SerdeInfo: z.looseObject({
      SerializationLibrary: z.string(),
      Parameters: z.record(z.string(), z.string()).optional(),
    }),
  }),
});

/** The properties of a table or view of Glue. */
const tableSchema = z.object({ TableInput: tableInputSchema });
type TableInput = z.infer<typeof tableInputSchema>;

const { template: stack } = await synthesise('dev');
const template = stack('Lake');

const inputs = Object.values(propertiesOf(template, 'AWS::Glue::Table', tableSchema)).map(
  ({ TableInput }) => TableInput,
);

function tableNamed(name: string): TableInput {
  return defined(
    inputs.find((input) => input.Name === name),
    `the table ${name}`,
  );
}

const urlSchema = z.object({
  'Fn::Join': z.tuple([
    z.literal(''),
    z.tuple([z.literal('s3://'), z.record(z.string(), z.unknown()), z.string()]),
  ]),
});

/** The part of the URL after the name of the bucket. */
function afterTheBucket(url: unknown): string {
  return urlSchema.parse(url)['Fn::Join'][1][2];
}

describe('tables of the lake', () => {
  it.each([
    ['invoices', dataKey('invoices', 'json', '2026-11-20', '700001', 'pull')],
    ['refunds', dataKey('refunds', 'json', '2026-11-20', '700001', 'pull')],
    ['invoices_csv', dataKey('invoices', 'csv', '2026-11-20', '700001', 'pull')],
    ['refunds_csv', dataKey('refunds', 'csv', '2026-11-20', '700001', 'pull')],
    ['days', manifestKey('2026-11-20', '700001', 1)],
    ['mail', ledgerKey('2026-11-20', '700001', 1)],
    // By the date on which they were written, not by the day of the page.
    ['changes', changeKey(changeMarker('days', '2026-11-10', Date.parse('2026-11-20T06:10:00Z')))],
  ])('have the location where their objects are written: %s', (name, key) => {
    const { Parameters, StorageDescriptor } = tableNamed(name);
    const template = afterTheBucket(Parameters['storage.location.template']);
    const date = name === 'changes' ? 'noted_on' : 'day';
    // The placeholders must stay as they are; CloudFormation must not replace them.
    expect(template.endsWith(`/${date}=\${${date}}/`)).toBe(true);
    const place = template.replace(`\${${date}}`, '2026-11-20');
    expect(`/${key}`.startsWith(place)).toBe(true);
    expect(place.startsWith(afterTheBucket(StorageDescriptor.Location))).toBe(true);
    if (name === 'mail' || name === 'changes') return;
    const own = afterTheBucket(tableNamed(`merchant_${name}`).Parameters['storage.location.template']);
    expect(own).toBe(`${template}merchant=\${merchant}/`);
    expect(`/${key}`.startsWith(own.replace('${day}', '2026-11-20').replace('${merchant}', '700001'))).toBe(
      true,
    );
  });

  it.each([
    ['statements', ['2026-01', '2026-12', '2026-W01', '2026-W53'], ['2026-11-20']],
    ['merchant_statements', ['2026-01', '2026-12', '2026-W01', '2026-W53'], ['2026-11-20']],
    ['group_pages', ['2026-01', '2026-W53', '2026-01-01', '2028-02-29', '2026-12-31'], []],
    ['statement_mail', ['2026-01', '2026-W53', '2026-01-01', '2028-02-29', '2026-12-31'], []],
  ] as const)('have the location where the pages of periods are written: %s', (name, periods, others) => {
    const { Parameters, StorageDescriptor } = tableNamed(name);
    const template = afterTheBucket(Parameters['storage.location.template']);
    const parts = String(Parameters['projection.part.values']).split(',');
    const placesOf = (period: string) =>
      parts
        .filter((part) => `${period.slice(0, 4)}-${part}` === period)
        .map((part) =>
          template
            .replace('${year}', period.slice(0, 4))
            .replace('${part}', part)
            .replace('${merchant}', '700001'),
        );
    const keyOf = name === 'statement_mail' ? pageLedgerKey : pageKey;
    for (const period of periods) {
      // Only groups have pages of days there.
      const owner = others.length === 0 ? { group: '700001' } : { merchantCode: '700001' };
      const key = `/${keyOf({ owner, period, revision: 1 })}`;
      const places = placesOf(period);
      expect(places).toHaveLength(1);
      expect(key.startsWith(defined(places[0]))).toBe(true);
      expect(places[0]).toMatch(/\/$/);
      expect(key.startsWith(afterTheBucket(StorageDescriptor.Location))).toBe(true);
    }
    for (const period of others) expect(placesOf(period)).toEqual([]);
  });

  it('do not read ledgers of alerts, notices or states', () => {
    const places = inputs.flatMap(({ Parameters }) =>
      'storage.location.template' in Parameters
        ? [afterTheBucket(Parameters['storage.location.template']).replace(/\$\{(day|year)\}.*/, '')]
        : [],
    );
    for (const key of [alertLedgerKey('700001', 'check'), opsNoticeKey('x'), alertStateKey('700001')]) {
      expect(places.filter((place) => `/${key}`.startsWith(place))).toEqual([]);
    }
  });

  it('name every column once, in lower case, with a description', () => {
    for (const { StorageDescriptor, PartitionKeys } of inputs) {
      const names = [...StorageDescriptor.Columns, ...PartitionKeys].map(({ Name }) => Name);
      expect(new Set(names).size).toBe(names.length);
      expect(names.join()).toBe(names.join().toLowerCase());
      for (const { Comment } of StorageDescriptor.Columns) expect(Comment).toMatch(/^.{5,255}$/);
    }
  });
});

const viewSchema = z.object({
  originalSql: z.string(),
  catalog: z.string(),
  schema: z.string(),
  columns: z.array(z.object({ name: z.string(), type: z.string() })),
});

it.each(LAKE_VIEWS.map((view) => [view.name, view] as const))(
  'the view %s is stored in the form that Athena reads as a view, with its columns in order',
  (name, view) => {
    const input = tableNamed(name);
    const [, encoded] = /^\/\* Presto View: (\S+) \*\/$/.exec(defined(input.ViewOriginalText)) ?? [];
    const decoded = viewSchema.parse(JSON.parse(Buffer.from(defined(encoded), 'base64').toString()));
    expect(input).toMatchObject({
      TableType: 'VIRTUAL_VIEW',
      Parameters: { presto_view: 'true', comment: 'Presto View' },
      ViewExpandedText: '/* Presto View */',
      StorageDescriptor: { SerdeInfo: { SerializationLibrary: '-' } },
    });
    expect(decoded).toMatchObject({ catalog: 'awsdatacatalog', schema: 'daybook_dev' });
    expect(decoded.originalSql).toBe(viewSql(view));
    const [selects = ''] = decoded.originalSql.split('\nFROM ');
    const selected = [...selects.matchAll(/ AS "(\w+)",?$/gm)].map(([, column]) => column);
    expect(decoded.columns.map((column) => column.name)).toEqual(selected);
    const glue: Record<string, string> = {
      varchar: 'string',
      'timestamp(3)': 'timestamp',
      'array(varchar)': 'array<string>',
    };
    expect(input.StorageDescriptor.Columns.map(({ Name, Type }) => [Name, Type])).toEqual(
      decoded.columns.map((column) => [column.name, glue[column.type] ?? column.type]),
    );
  },
);

it('the workgroup limits every named query to the partitions of some days, and has all of them', () => {
  const files = readdirSync(join(import.meta.dirname, '../../lib/lake/queries'));
  expect(files.filter((file) => file.endsWith('.sql'))).toHaveLength(NAMED_QUERIES.length);
  for (const { name, sql } of NAMED_QUERIES)
    expect(sql, name).toMatch(/day >= CAST\(CAST\((current_date|date_trunc\('month', current_date\)) - /);
});
