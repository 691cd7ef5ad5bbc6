import { RemovalPolicy } from 'aws-cdk-lib';
import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
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
import { csvColumns } from '#records/rows/contract-columns.ts';
import { viewSql } from '#lib/lake/lake-view.ts';
import { NAMED_QUERIES } from '#lib/lake/queries/index.ts';
import { LAKE_VIEWS } from '#lib/lake/views/index.ts';
import { synthesiseLake, tableSchema } from '#support/stacks/synthesised-lake.ts';
import type { TableInput } from '#support/stacks/synthesised-lake.ts';
import { defined } from '#support/assertions/defined.ts';
import * as z from 'zod';
import { propertiesOf } from '#support/stacks/properties-of.ts';

const template = synthesiseLake();

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

const RECORD_TABLES = ['invoices', 'refunds', 'invoices_csv', 'refunds_csv'];
const DAY_TABLES = [...RECORD_TABLES, 'days', 'mail'];
const MERCHANT_TABLES = [...RECORD_TABLES, 'days'].map((name) => `merchant_${name}`);
const PERIOD_TABLES = ['statements', 'group_pages', 'statement_mail', 'merchant_statements'];

describe('tables of the lake', () => {
  it('are the expected tables and views', () => {
    expect(inputs.map(({ Name }) => Name).toSorted()).toEqual(
      [
        ...DAY_TABLES,
        ...MERCHANT_TABLES,
        ...PERIOD_TABLES,
        'changes',
        'latest_statements',
        'statement_days',
        'latest_group_pages',
        'latest_group_merchants',
        'latest_statement_mail',
        'latest_invoices',
        'latest_refunds',
        'latest_days',
        'latest_mail',
        'all_invoices',
        'all_invoices_with_customers',
        'all_refunds',
        'all_days',
        'all_mail',
        'history_state',
        'history_views',
      ].toSorted(),
    );
    template.hasResourceProperties('AWS::Glue::Database', { DatabaseInput: { Name: 'daybook_dev' } });
  });

  it.each([...DAY_TABLES, ...MERCHANT_TABLES])('have partitions up to tomorrow in UTC: %s', (name) => {
    const { Parameters, PartitionKeys, TableType } = tableNamed(name);
    expect(TableType).toBe('EXTERNAL_TABLE');
    expect(Parameters).toMatchObject({
      EXTERNAL: 'TRUE',
      'projection.enabled': 'true',
      'projection.day.type': 'date',
      'projection.day.format': 'yyyy-MM-dd',
      'projection.day.range': '2026-01-01,NOW+1DAYS',
      'projection.day.interval': '1',
      'projection.day.interval.unit': 'DAYS',
    });
    const merchant = name.startsWith('merchant_');
    expect(Parameters['projection.merchant.type']).toBe(merchant ? 'injected' : undefined);
    expect(PartitionKeys.map(({ Name, Type }) => [Name, Type])).toEqual(
      merchant
        ? [
            ['day', 'string'],
            ['merchant', 'string'],
          ]
        : [['day', 'string']],
    );
  });

  it.each([
    ['invoices', dataKey('invoices', 'json', '2026-11-20', '700001', 'pull')],
    ['refunds', dataKey('refunds', 'json', '2026-11-20', '700001', 'pull')],
    ['invoices_csv', dataKey('invoices', 'csv', '2026-11-20', '700001', 'pull')],
    ['refunds_csv', dataKey('refunds', 'csv', '2026-11-20', '700001', 'pull')],
    ['days', manifestKey('2026-11-20', '700001', 1)],
    ['mail', ledgerKey('2026-11-20', '700001', 1)],
  ])('have the location where their objects are written: %s', (name, key) => {
    const { Parameters, StorageDescriptor } = tableNamed(name);
    const template = afterTheBucket(Parameters['storage.location.template']);
    // The placeholders must stay as they are; CloudFormation must not replace them.
    expect(template.endsWith('/day=${day}/')).toBe(true);
    const place = template.replace('${day}', '2026-11-20');
    expect(`/${key}`.startsWith(place)).toBe(true);
    expect(place.startsWith(afterTheBucket(StorageDescriptor.Location))).toBe(true);
    if (name === 'mail') return;
    const own = afterTheBucket(tableNamed(`merchant_${name}`).Parameters['storage.location.template']);
    expect(own).toBe(`${template}merchant=\${merchant}/`);
    expect(`/${key}`.startsWith(own.replace('${day}', '2026-11-20').replace('${merchant}', '700001'))).toBe(
      true,
    );
  });

  it('have the change markers by the date on which they were written, not by the day of the page', () => {
    const { Parameters, PartitionKeys, StorageDescriptor } = tableNamed('changes');
    expect(Parameters).toMatchObject({
      'projection.noted_on.type': 'date',
      'projection.noted_on.format': 'yyyy-MM-dd',
      'projection.noted_on.range': '2026-01-01,NOW+1DAYS',
      'projection.noted_on.interval': '1',
      'projection.noted_on.interval.unit': 'DAYS',
    });
    expect(Parameters).not.toHaveProperty('projection.day.type');
    expect(PartitionKeys.map(({ Name, Type }) => [Name, Type])).toEqual([['noted_on', 'string']]);
    expect(StorageDescriptor.Columns.map(({ Name, Type }) => [Name, Type])).toEqual([
      ['day', 'string'],
      ['what', 'string'],
      ['notedat', 'string'],
    ]);
    const template = afterTheBucket(Parameters['storage.location.template']);
    const key = changeKey(changeMarker('days', '2026-11-20', Date.parse('2026-11-21T06:10:00Z')));
    expect(`/${key}`.startsWith(template.replace('${noted_on}', '2026-11-21'))).toBe(true);
    expect(template.startsWith(afterTheBucket(StorageDescriptor.Location))).toBe(true);
  });

  it.each(PERIOD_TABLES)('have the name of the period in two parts, up to the present year: %s', (name) => {
    const { Parameters, PartitionKeys } = tableNamed(name);
    expect(PartitionKeys.map(({ Name, Type }) => [Name, Type])).toEqual([
      ['year', 'string'],
      ['part', 'string'],
      ...(name.startsWith('merchant_') ? [['merchant', 'string']] : []),
    ]);
    expect(Parameters).toMatchObject({
      'projection.year.type': 'date',
      'projection.year.format': 'yyyy',
      // The week in which the first day of 2026 is has the name of a week of 2025 in some merchants' weeks.
      'projection.year.range': '2025,NOW',
      'projection.year.interval': '1',
      'projection.year.interval.unit': 'YEARS',
      'projection.part.type': 'enum',
    });
    const parts = String(Parameters['projection.part.values']).split(',');
    expect(new Set(parts).size).toBe(parts.length);
    const withDays = ['group_pages', 'statement_mail'].includes(name);
    expect(parts).toHaveLength(12 + 53 + (withDays ? 366 : 0));
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

  it('keep the ledgers of days and of periods apart', () => {
    const ofDays = afterTheBucket(tableNamed('mail').Parameters['storage.location.template']);
    const ofPeriods = afterTheBucket(tableNamed('statement_mail').Parameters['storage.location.template']);
    expect([ofDays, ofPeriods]).toEqual(['/mail/day=${day}/', '/mail/period=${year}-${part}/']);
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

  it.each([
    'invoices',
    'refunds',
    'days',
    'mail',
    'changes',
    'merchant_invoices',
    'merchant_refunds',
    'merchant_days',
    'statements',
    'group_pages',
    'statement_mail',
    'merchant_statements',
  ])('use the OpenX SerDe, which fails on malformed JSON: %s', (name) => {
    expect(tableNamed(name).StorageDescriptor.SerdeInfo).toEqual({
      SerializationLibrary: 'org.openx.data.jsonserde.JsonSerDe',
      Parameters: { 'ignore.malformed.json': 'FALSE', 'case.insensitive': 'TRUE', 'dots.in.keys': 'FALSE' },
    });
  });

  it.each(['invoices_csv', 'refunds_csv', 'merchant_invoices_csv', 'merchant_refunds_csv'])(
    'use OpenCSVSerde, with an escape character that never occurs in data: %s',
    (name) => {
      const { StorageDescriptor, Parameters } = tableNamed(name);
      expect(StorageDescriptor.SerdeInfo).toEqual({
        SerializationLibrary: 'org.apache.hadoop.hive.serde2.OpenCSVSerde',
        Parameters: { separatorChar: ',', quoteChar: '"', escapeChar: '\uE000' },
      });
      expect(Parameters['skip.header.line.count']).toBe('1');
      expect(Parameters).not.toHaveProperty('separatorChar');
      const table = name.includes('invoices') ? 'invoices' : 'refunds';
      expect(StorageDescriptor.Columns.map((column) => column.Name)).toEqual(
        csvColumns(table).map((column) => column.toLowerCase()),
      );
      expect(new Set(StorageDescriptor.Columns.map(({ Type }) => Type))).toEqual(new Set(['string']));
    },
  );

  it('have the types of the contract, and strings elsewhere', () => {
    const typeOf = (name: string) =>
      Object.fromEntries(
        tableNamed(name).StorageDescriptor.Columns.map((column) => [column.Name, column.Type]),
      );
    expect(typeOf('invoices')).toMatchObject({
      _merchant_code: 'string',
      id: 'bigint',
      amount: 'string',
      payment_method: 'array<string>',
      rentperiod: 'string',
      products: 'string',
      customer: 'struct<name:string,email:string,phone_number:string>',
    });
    expect(typeOf('invoices')['transaction']).toContain('auth:string,amount:string');
    expect(typeOf('refunds')['transaction']).toContain('id:bigint,amount:double');
    expect(typeOf('days')).toMatchObject({ revision: 'bigint', balanced: 'boolean', drift: 'string' });
    expect(typeOf('days')['files']).toBe(
      'array<struct<table:string,format:string,key:string,rows:bigint,bytes:bigint,sha256:string>>',
    );
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

describe.each(LAKE_VIEWS.map((view) => [view.name, view] as const))('the view %s', (name, view) => {
  const input = tableNamed(name);
  const [, encoded] = /^\/\* Presto View: (\S+) \*\/$/.exec(defined(input.ViewOriginalText)) ?? [];
  const decoded = viewSchema.parse(JSON.parse(Buffer.from(defined(encoded), 'base64').toString()));

  it('is stored in the form that Athena reads as a view', () => {
    expect(input.TableType).toBe('VIRTUAL_VIEW');
    expect(input.Parameters).toEqual({ presto_view: 'true', comment: 'Presto View' });
    expect(input.ViewExpandedText).toBe('/* Presto View */');
    expect(decoded).toMatchObject({ catalog: 'awsdatacatalog', schema: 'daybook_dev' });
    expect(decoded.originalSql).toBe(viewSql(view));
    expect(input.StorageDescriptor.SerdeInfo.SerializationLibrary).toBe('-');
  });

  it('has the columns of its statement in the same order in Glue and in Athena', () => {
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
  });
});

it('views of the lake have amounts as exact decimals, dates as dates and times as timestamps', () => {
  const typeOf = (name: string) =>
    Object.fromEntries(
      tableNamed(name).StorageDescriptor.Columns.map((column) => [column.Name, column.Type]),
    );
  expect(typeOf('latest_invoices')).toMatchObject({
    day: 'string',
    business_date: 'date',
    amount: 'decimal(38,3)',
    discount: 'decimal(38,3)',
    expires_at: 'date',
    created_at: 'timestamp',
    transaction_amount: 'decimal(38,3)',
    transaction_auth: 'string',
  });
  expect(typeOf('latest_refunds')).toMatchObject({
    amount: 'decimal(38,3)',
    refund_at: 'date',
    transaction_date: 'timestamp',
    total_refunded_amount: 'decimal(38,3)',
  });
  expect(typeOf('latest_days')).toMatchObject({
    pulled_at: 'timestamp',
    paid_amount: 'decimal(38,3)',
    refund_amount: 'decimal(38,3)',
  });
  for (const view of ['latest_statements', 'statement_days', 'latest_group_pages']) {
    expect(typeOf(view), view).toMatchObject({
      paid_amount: 'decimal(38,3)',
      refund_amount: 'decimal(38,3)',
      received: 'decimal(38,3)',
      charges: 'decimal(38,3)',
      net: 'decimal(38,3)',
    });
  }
  expect(typeOf('latest_statements')).toMatchObject({ from_date: 'date', sealed_at: 'timestamp' });
});

describe('the workgroup', () => {
  it('limits the bytes that a query reads, and sets where results are stored and how they are encrypted', () => {
    template.hasResourceProperties('AWS::Athena::WorkGroup', {
      Name: 'daybook-dev',
      RecursiveDeleteOption: false,
      WorkGroupConfiguration: {
        EnforceWorkGroupConfiguration: true,
        PublishCloudWatchMetricsEnabled: true,
        BytesScannedCutoffPerQuery: 5_000_000_000,
        EngineVersion: { SelectedEngineVersion: 'Athena engine version 3' },
        ResultConfiguration: {
          OutputLocation: {
            'Fn::Join': ['', ['s3://', { Ref: Match.stringLikeRegexp('^ResultsBucket') }, '/people/']],
          },
          EncryptionConfiguration: { EncryptionOption: 'SSE_KMS', KmsKey: Match.anyValue() },
          ExpectedBucketOwner: { Ref: 'AWS::AccountId' },
        },
      },
    });
  });

  it('has its named queries', () => {
    const queries = Object.values(
      propertiesOf(template, 'AWS::Athena::NamedQuery', z.record(z.string(), z.unknown())),
    );
    expect(queries.map(({ Name, QueryString }) => [Name, QueryString]).toSorted()).toEqual(
      NAMED_QUERIES.map(({ name, sql }) => [name, sql]).toSorted(),
    );
    for (const { WorkGroup, Database, Description } of queries) {
      expect(WorkGroup).toEqual({ Ref: 'WorkGroup' });
      expect(Database).toEqual({ Ref: 'Database' });
      expect(Description).toMatch(/^.{10,}$/);
    }
    expect(NAMED_QUERIES.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'counts-per-day',
        'unbalanced-days',
        'refunds-on-both-bases',
        'late-changes',
        'unpaid-by-age',
        'mail-not-delivered',
      ]),
    );
  });

  it('limits every named query to the partitions of some days', () => {
    for (const { name, sql } of NAMED_QUERIES)
      expect(sql, name).toMatch(/day >= CAST\(CAST\(current_date - /);
  });
});

describe('the bucket of query results', () => {
  it('is encrypted, private and logged, and deletes results after days', () => {
    template.hasResource('AWS::S3::Bucket', {
      DeletionPolicy: 'Retain',
      Properties: {
        BucketEncryption: {
          ServerSideEncryptionConfiguration: [
            {
              BucketKeyEnabled: true,
              ServerSideEncryptionByDefault: { SSEAlgorithm: 'aws:kms', KMSMasterKeyID: Match.anyValue() },
            },
          ],
        },
        PublicAccessBlockConfiguration: {
          BlockPublicAcls: true,
          BlockPublicPolicy: true,
          IgnorePublicAcls: true,
          RestrictPublicBuckets: true,
        },
        LoggingConfiguration: { LogFilePrefix: 'athena/', DestinationBucketName: Match.anyValue() },
        LifecycleConfiguration: {
          Rules: [
            {
              Status: 'Enabled',
              ExpirationInDays: 7,
              // The rule is for every folder of answers.
              Prefix: Match.absent(),
              Filter: Match.absent(),
              TagFilters: Match.absent(),
              AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 },
            },
          ],
        },
      },
    });
    template.hasResourceProperties('AWS::S3::BucketPolicy', {
      PolicyDocument: {
        Statement: Match.arrayWith([
          Match.objectLike({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
          Match.objectLike({ Effect: 'Deny', Condition: { NumericLessThan: { 's3:TlsVersion': 1.2 } } }),
        ]),
      },
    });
  });

  it('is deleted with its stack when the stage says so', () => {
    const destroyed = synthesiseLake(RemovalPolicy.DESTROY);
    destroyed.hasResource('AWS::S3::Bucket', { DeletionPolicy: 'Delete' });
    destroyed.hasResourceProperties('AWS::Athena::WorkGroup', { RecursiveDeleteOption: true });
  });
});

const policySchema = z.object({
  PolicyDocument: z.object({
    Statement: z.array(
      z.object({
        Sid: z.string(),
        Action: z.union([z.string(), z.array(z.string())]),
        Resource: z.unknown(),
      }),
    ),
  }),
});

describe('analysts', () => {
  const [policy] = Object.values(propertiesOf(template, 'AWS::IAM::ManagedPolicy', policySchema));
  const { Statement: statements } = defined(policy).PolicyDocument;

  it('have only the listed rights', () => {
    const actions = Object.fromEntries(
      statements.map(({ Sid, Action }) => [Sid, [Action].flat().toSorted()]),
    );
    expect(actions).toEqual({
      UseTheWorkgroup: [
        'athena:BatchGetNamedQuery',
        'athena:BatchGetQueryExecution',
        'athena:GetNamedQuery',
        'athena:GetQueryExecution',
        'athena:GetQueryResults',
        'athena:GetQueryResultsStream',
        'athena:GetWorkGroup',
        'athena:ListNamedQueries',
        'athena:ListQueryExecutions',
        'athena:StartQueryExecution',
        'athena:StopQueryExecution',
      ],
      ReadTheCatalogue: ['glue:GetDatabase', 'glue:GetPartitions', 'glue:GetTable', 'glue:GetTables'],
      ReadTheData: ['s3:GetObject'],
      ListTheData: ['s3:ListBucket'],
      FindTheData: ['s3:GetBucketLocation'],
      KeepAnswers: ['s3:AbortMultipartUpload', 's3:GetObject', 's3:ListMultipartUploadParts', 's3:PutObject'],
      ListAnswers: ['s3:ListBucket'],
      FindAnswers: ['s3:GetBucketLocation', 's3:ListBucketMultipartUploads'],
      UseTheKey: ['kms:Decrypt', 'kms:GenerateDataKey'],
    });
  });

  it('can see only this database, table by table', () => {
    const catalogue = defined(statements.find(({ Sid }) => Sid === 'ReadTheCatalogue'));
    expect(JSON.stringify(catalogue.Resource)).not.toContain('*');
  });
});
