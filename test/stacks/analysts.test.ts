import * as z from 'zod';
import { OPERATORS_ONLY } from '#lib/lake/tables.ts';
import { LAKE_VIEWS } from '#lib/lake/views/index.ts';
import { groupDatabase, groupWorkGroup, type LakeGroup } from '#lake/sql/groups.ts';
import { historyWorkGroup, lakeDatabase, lakeWorkGroup } from '#lake/sql/lake-database.ts';
import { viewSql } from '#lake/sql/lake-view.ts';
import { parseSettings, readSettings, type Settings } from '#lib/settings.ts';
import {
  DATA,
  NAMES,
  RESULTS,
  consoleRequests,
  dataObject,
  glueArn,
  workGroupArn,
} from '#support/stacks/deployed-lake.ts';
import { EvaluatedPolicy } from '#support/stacks/iam-evaluator.ts';
import { propertiesOf, synthesise } from '#support/stacks/synthesised.ts';

const GROUPS: Settings['lake']['groups'] = [
  { name: 'north', merchants: ['700001', '700002'], personal: false },
  // Its name begins with the other group's name.
  { name: 'north_east', merchants: 'all', personal: true },
];

const template = (await synthesise('dev', ({ lake }) => (lake.groups = GROUPS))).template('Lake');

/** The objects that the whole lake is queried from. */
const OBJECTS = [
  'invoices/json/day=2026-11-20/merchant=700001/20261121T030005Z-9f2c61aa.jsonl.gz',
  'invoices/csv/day=2026-11-20/merchant=700001/20261121T030005Z-9f2c61aa.csv.gz',
  'refunds/json/day=2026-11-20/merchant=700001/20261121T030005Z-9f2c61aa.jsonl.gz',
  'refunds/csv/day=2026-11-20/merchant=700001/20261121T030005Z-9f2c61aa.csv.gz',
  'days/day=2026-11-20/merchant=700001/r0001.json',
  'statements/period=2026-W47/merchant=700001/r0001.json',
  'statements/period=2026-11-20/group=shops/r0001.json',
];
const HISTORY = [
  'lake/invoices_history/metadata/00003-0b5f.metadata.json',
  'lake/invoices_history/data/business_date_month=2026-11/merchant_code_bucket=3/part-0.parquet',
];
const COPY = 'lake/group=north/invoices/data/business_date_month=2026-11/part-0.parquet';
const OTHER_COPIES = [
  'lake/group=north_east/invoices/data/part-0.parquet',
  'lake/group=south/days/part-0.parquet',
];

/** A key of every other kind of object in the bucket. */
const HIDDEN = [
  'config/merchants.json',
  'config/registry.json',
  'config/last-good/merchants.json',
  'config/refunds/700001.csv',
  'mail/day=2026-11-20/merchant=700001/r0001.json',
  'mail/alerts/merchant=700001/20261121T030005Z-9f2c61aa.json',
  'mail/ops/0123456789abcdef.json',
  'mail/ops/watch/day=2026-11-20.json',
  'mail-stops/0123456789abcdef.json',
  'alerts/merchant=700001/state.json',
  'checked/day=2026-11-20/merchant=700001.json',
  'history/merchant=700001.json',
  'plan/daily.json',
  'changes/noted_on=2026-11-21/0610-days-2026-11-20.json',
  'mail/period=2026-W47/merchant=700001/r0001.json',
  'mail/period=2026-11-20/group=shops/r0001.json',
];

const WORK_GROUPS = [
  'daybook-dev',
  'daybook-dev-north',
  'daybook-dev-north-east',
  'daybook-dev-history',
  'primary',
];
const ANSWERS = ['people/', 'groups/north/', 'groups/north_east/', 'groups/south/', 'history/', ''];

/** A key and all its beginnings, the shortest first: every prefix that would list the key. */
function prefixesOf(key: string): string[] {
  return Array.from({ length: key.length + 1 }, (_, length) => key.slice(0, length));
}

describe.each([
  {
    people: 'analysts',
    id: 'Analysts',
    database: 'daybook_dev',
    workGroup: 'daybook-dev',
    answers: 'people/',
    readable: [...OBJECTS, ...HISTORY],
    hidden: HIDDEN,
    seen: ['daybook_dev/all_days', 'daybook_dev/invoices'],
    unseen: ['daybook_dev_north/days', 'other/days'],
  },
  {
    people: 'a group of analysts',
    id: 'GroupNorthAnalysts',
    database: 'daybook_dev_north',
    workGroup: 'daybook-dev-north',
    answers: 'groups/north/',
    readable: [COPY],
    // Not even the statements of its own merchants: the folder of a period has those of all merchants.
    hidden: [...OBJECTS, ...HISTORY, ...OTHER_COPIES, ...HIDDEN],
    seen: [
      ...['invoices', 'refunds', 'days'].map((name) => `daybook_dev_north/${name}`),
      // It says how complete the history is.
      'daybook_dev/history_state',
    ],
    unseen: [
      ...[
        'invoices',
        'invoices_history',
        'all_invoices',
        'latest_invoices',
        'statements',
        'latest_group_pages',
      ].map((name) => `daybook_dev/${name}`),
      'daybook_dev_north_east/invoices',
    ],
  },
])('$people', ({ id, database, workGroup, answers, readable, hidden, seen, unseen }) => {
  const policy = new EvaluatedPolicy(template, id, NAMES);
  const may = (action: string, resource: string, prefix?: string) =>
    policy.allows({ action, resource, ...(prefix !== undefined && { context: { 's3:prefix': prefix } }) });
  const reads = (key: string) => may('s3:GetObject', dataObject(key));
  const lists = (bucket: string, prefix?: string) => may('s3:ListBucket', bucket, prefix);

  it('may read and find their own objects, and neither read nor find any other', () => {
    expect([...readable, ...hidden].filter(reads)).toEqual(readable);
    const finds = (key: string) => lists(DATA, key.slice(0, key.lastIndexOf('/') + 1));
    expect(readable.filter(finds)).toEqual(readable);
    expect(hidden.flatMap(prefixesOf).filter((prefix) => lists(DATA, prefix))).toEqual([]);
  });

  it('may not list the bucket without a prefix, nor read old versions, nor change data', () => {
    for (const action of ['s3:ListBucket', 's3:ListBucketVersions']) expect(may(action, DATA)).toBe(false);
    for (const action of [
      's3:GetObjectVersion',
      's3:PutObject',
      's3:DeleteObject',
      's3:DeleteObjectVersion',
      's3:AbortMultipartUpload',
    ]) {
      expect([...readable, ...hidden].filter((key) => may(action, dataObject(key)))).toEqual([]);
    }
  });

  it('may read no secret, start no function, and change nothing in the catalogue', () => {
    const { region, account } = NAMES;
    const secret = `arn:aws:secretsmanager:${region}:${account}:secret:daybook/dev/credentials-a1b2c3`;
    expect(may('secretsmanager:GetSecretValue', secret)).toBe(false);
    const lambda = `arn:aws:lambda:${region}:${account}:function:daily-report`;
    expect(may('lambda:InvokeFunction', lambda)).toBe(false);
    for (const action of ['glue:UpdateTable', 'glue:DeleteTable', 'glue:CreateTable']) {
      expect(may(action, glueArn(`table/${database}/invoices`))).toBe(false);
    }
  });

  it('may do all that the console of Athena asks for', () => {
    const asked = consoleRequests(database, workGroup);
    expect(asked.filter((request) => !policy.allows(request))).toEqual([]);
  });

  it('see their own tables, and those of no other database', () => {
    const sees = (table: string) => may('glue:GetTable', glueArn(`table/${table}`));
    expect([...seen, ...unseen].filter(sees)).toEqual(seen);
  });

  it('have a workgroup of their own, so that nobody sees the answers and queries of others', () => {
    for (const action of ['StartQueryExecution', 'GetQueryResults', 'ListQueryExecutions']) {
      const allowed = WORK_GROUPS.filter((name) => may(`athena:${action}`, workGroupArn(name)));
      expect(allowed, action).toEqual([workGroup]);
    }
  });

  // The function `lake` merges what its answers say.
  it('may write, read and list answers in their own folder, and in no other', () => {
    for (const action of ['PutObject', 'GetObject', 'AbortMultipartUpload', 'ListMultipartUploadParts']) {
      const allowed = ANSWERS.filter((folder) => may(`s3:${action}`, `${RESULTS}/${folder}0b5f.csv`));
      expect(allowed, action).toEqual([answers]);
    }
    const listed = new Set(ANSWERS.flatMap(prefixesOf)).difference(new Set(prefixesOf(answers)));
    expect([...listed].filter((prefix) => lists(RESULTS, prefix))).toEqual([]);
    expect(prefixesOf(answers).filter((prefix) => lists(RESULTS, prefix))).toEqual([answers]);
    expect(lists(RESULTS)).toBe(false);
  });

  it('have a policy that IAM accepts, also of a stage with the longest name', () => {
    const text = JSON.stringify(policy.statements)
      .replaceAll('dev', 'a'.repeat(20))
      .replaceAll('arn:aws:', 'arn:aws-us-gov:')
      .replaceAll('eu-central-1', 'ap-southeast-9')
      .replaceAll('the-data', 'x'.repeat(63));
    expect(text.length).toBeLessThan(6_144);
  });
});

it('a group has the saved queries that need nothing but its three tables', () => {
  const querySchema = z.object({ Name: z.string(), QueryString: z.string() });
  const saved = Object.entries(propertiesOf(template, 'AWS::Athena::NamedQuery', querySchema)).flatMap(
    ([id, query]) => (id.startsWith('GroupNorthQueries') ? [query] : []),
  );
  expect(saved.map(({ Name }) => Name).toSorted()).toEqual([
    'came-in',
    'charges-by-method',
    'counts-per-day',
    'expired-unpaid',
    'history-of-a-merchant',
    'net-by-month',
    'refund-rate',
    'refunds-on-both-bases',
    'time-to-payment',
    'unbalanced-days',
    'unpaid-by-age',
  ]);
  for (const { Name, QueryString } of saved) expect(QueryString, Name).not.toMatch(/\b(all|latest)_/);
});

it('no folder of answers has another one in it', () => {
  const placeSchema = z.object({
    Name: z.string(),
    WorkGroupConfiguration: z.object({
      ResultConfiguration: z.object({
        OutputLocation: z.object({
          'Fn::Join': z.tuple([z.literal(''), z.tuple([z.literal('s3://'), z.unknown(), z.string()])]),
        }),
      }),
    }),
  });
  const places = Object.values(propertiesOf(template, 'AWS::Athena::WorkGroup', placeSchema)).map(
    ({ Name, WorkGroupConfiguration: { ResultConfiguration } }): [string, string] => [
      Name,
      ResultConfiguration.OutputLocation['Fn::Join'][1][2],
    ],
  );
  expect(Object.fromEntries(places)).toEqual({
    'daybook-dev': '/people/',
    'daybook-dev-history': '/history/',
    'daybook-dev-north': '/groups/north/',
    'daybook-dev-north-east': '/groups/north_east/',
  });
});

it('views that read a table which analysts may not read are those that the guide names', () => {
  const reads = (sql: string, names: readonly string[]) =>
    names.some((name) => new RegExp(`(FROM|JOIN) \\(?"?${name}\\b`, 'i').test(sql));
  const hidden = LAKE_VIEWS.filter((view) => reads(viewSql(view), OPERATORS_ONLY)).map(({ name }) => name);
  const above = LAKE_VIEWS.filter((view) => reads(viewSql(view), hidden)).map(({ name }) => name);
  expect([...hidden, ...above].toSorted()).toEqual(['all_mail', 'latest_mail', 'latest_statement_mail']);
});

/** Every text of up to so many signs. */
function textsOf(signs: readonly string[], most: number): string[] {
  const longer = most === 0 ? [] : textsOf(signs, most - 1);
  return ['', ...longer.flatMap((text) => signs.map((sign) => sign + text))];
}

/** Whether the settings take a stage and a group of these names. */
function isAllowed(stage: string, group: string): boolean {
  const { stage: _, ...settings } = readSettings('dev');
  const groups = [{ name: group, merchants: 'all', personal: false }];
  try {
    parseSettings(stage, { ...settings, lake: { ...settings.lake, groups } });
    return true;
  } catch {
    return false;
  }
}

it('no group has the database or workgroup of another stage, or of its group', () => {
  expect(lakeDatabase('prod')).toBe('daybook_prod');
  const stages = [...new Set(textsOf(['a', '-'], 5)), 'a-history'].filter((stage) => isAllowed(stage, 'a'));
  const groups = [...new Set(textsOf(['a', '_'], 5))].filter((name) => isAllowed('a', name));
  expect(Math.min(stages.length, groups.length)).toBeGreaterThan(5);
  const copies = groups.map((name): LakeGroup => ({ name, merchants: 'all', personal: false }));
  const lakes = stages.map(lakeDatabase);
  const databases = lakes.flatMap((lake) => [lake, ...copies.map((group) => groupDatabase(lake, group))]);
  const workGroups = lakes.flatMap((lake) => [
    lakeWorkGroup(lake),
    historyWorkGroup(lake),
    ...copies.map((group) => groupWorkGroup(lake, group)),
  ]);
  expect(new Set(databases).size).toBe(stages.length * (1 + groups.length));
  expect(new Set(workGroups).size).toBe(stages.length * (2 + groups.length));
});
