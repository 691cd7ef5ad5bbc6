import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { dataKey, ledgerKey, manifestKey, pageKey, pageLedgerKey } from '#records/storage/keys.ts';
import { REGISTRY_KEY } from '#lib/functions.ts';
import { groupDatabase, groupWorkGroup, type LakeGroup } from '#lake/sql/groups.ts';
import { historyWorkGroup, lakeDatabase, lakeWorkGroup } from '#lake/sql/lake-database.ts';
import { parseSettings, readSettings, type Settings } from '#lib/settings.ts';
import { DATA, NAMES, RESULTS, dataObject, glueArn, workGroupArn } from '#support/stacks/deployed-lake.ts';
import { refusedInConsole } from '#support/stacks/athena-console.ts';
import { EvaluatedPolicy } from '#support/stacks/iam-evaluator.ts';
import { propertiesOf } from '#support/stacks/properties-of.ts';
import { synthesise } from '#support/stacks/synthesised.ts';

const DAY = '2026-11-20';
const GROUPS: Settings['lake']['groups'] = [
  { name: 'north', merchants: ['700001', '700002'], personal: false },
  // Its name begins with the other group's name.
  { name: 'north_east', merchants: 'all', personal: true },
];
const template = (await synthesise('dev', ({ lake }) => (lake.groups = GROUPS))).template('Lake');
const north = new EvaluatedPolicy(template, 'GroupNorthAnalysts', NAMES);
const northEast = new EvaluatedPolicy(template, 'GroupNorthEastAnalysts', NAMES);

const workGroupSchema = z.object({
  Name: z.string(),
  WorkGroupConfiguration: z.object({
    ResultConfiguration: z.object({
      OutputLocation: z.object({
        'Fn::Join': z.tuple([z.literal(''), z.tuple([z.literal('s3://'), z.unknown(), z.string()])]),
      }),
    }),
  }),
});

const reads = (key: string) => north.allows({ action: 's3:GetObject', resource: dataObject(key) });
const lists = (bucket: string, prefix: string) =>
  north.allows({ action: 's3:ListBucket', resource: bucket, context: { 's3:prefix': prefix } });
const OWN = 'lake/group=north/invoices/data/business_date_month=2026-11/part-0.parquet';

describe('a group of analysts', () => {
  it('may read and list its own copy of the history', () => {
    expect([reads(OWN), lists(DATA, 'lake/group=north/invoices/')]).toEqual([true, true]);
  });

  it.each([
    dataKey('invoices', 'json', DAY, '700001', '20261121T030005Z-9f2c61aa'),
    dataKey('refunds', 'csv', DAY, '700001', '20261121T030005Z-9f2c61aa'),
    manifestKey(DAY, '700001', 1),
    ledgerKey(DAY, '700001', 1),
    // Not even the statements of its own merchants: the folder of a period has those of all merchants.
    pageKey({ owner: { merchantCode: '700001' }, period: '2026-11', revision: 1 }),
    pageKey({ owner: { group: 'shops' }, period: '2026-11', revision: 1 }),
    pageLedgerKey({ owner: { merchantCode: '700001' }, period: '2026-11', revision: 1 }),
    REGISTRY_KEY,
    'lake/invoices_history/data/business_date_month=2026-11/part-0.parquet',
    'lake/group=north_east/invoices/data/part-0.parquet',
    'lake/group=south/invoices/data/part-0.parquet',
    'changes/noted_on=2026-11-21/0610-days-2026-11-20.json',
  ])('may neither read nor list anything else: %s', (key) => {
    expect(reads(key)).toBe(false);
    const prefixes = Array.from({ length: key.length + 1 }, (_, length) => key.slice(0, length));
    expect(prefixes.filter((prefix) => lists(DATA, prefix))).toEqual([]);
  });

  it('may do all that the console of Athena asks for, in its own database', () => {
    expect(refusedInConsole(north, 'daybook_dev_north', 'daybook-dev-north')).toEqual([]);
    const tables = glueArn('table/daybook_dev/any');
    expect(north.allows({ action: 'glue:GetTables', resource: tables })).toBe(false);
  });

  it('may not change its copy', () => {
    for (const action of ['s3:PutObject', 's3:DeleteObject', 's3:GetObjectVersion']) {
      expect(north.allows({ action, resource: dataObject(OWN) })).toBe(false);
    }
    const table = glueArn('table/daybook_dev_north/invoices');
    expect(north.allows({ action: 'glue:UpdateTable', resource: table })).toBe(false);
  });

  it('sees its three tables and how complete the history is', () => {
    const sees = (table: string) =>
      north.allows({ action: 'glue:GetTable', resource: glueArn(`table/${table}`) });
    for (const name of ['invoices', 'refunds', 'days']) expect(sees(`daybook_dev_north/${name}`)).toBe(true);
    expect(sees('daybook_dev/history_state')).toBe(true);
    for (const name of [
      'invoices',
      'invoices_history',
      'days_history',
      'all_invoices',
      'latest_invoices',
      'statements',
      'latest_statements',
      'statement_days',
      'latest_group_pages',
    ]) {
      expect(sees(`daybook_dev/${name}`), name).toBe(false);
    }
    expect(sees('daybook_dev_north_east/invoices')).toBe(false);
  });

  it('has a workgroup of its own, so that nobody sees the answers and queries of another group', () => {
    const works = (policy: EvaluatedPolicy, name: string) =>
      ['athena:StartQueryExecution', 'athena:GetQueryResults', 'athena:ListQueryExecutions'].map((action) =>
        policy.allows({ action, resource: workGroupArn(name) }),
      );
    expect(works(north, 'daybook-dev-north')).toEqual([true, true, true]);
    for (const name of ['daybook-dev', 'daybook-dev-north-east', 'primary']) {
      expect(works(north, name), name).toEqual([false, false, false]);
    }
    expect(works(northEast, 'daybook-dev-north-east')).toEqual([true, true, true]);
    const answer = (name: string) =>
      ['s3:GetObject', 's3:PutObject'].map((action) =>
        north.allows({ action, resource: `${RESULTS}/${name}` }),
      );
    expect(answer('groups/north/0b5f.csv')).toEqual([true, true]);
    const folders = ['history/', 'people/', 'groups/north_east/', 'groups/south/'];
    for (const other of ['', ...folders]) {
      expect(answer(`${other}0b5f.csv`), other).toEqual([false, false]);
    }
    expect(['', 'groups/', 'groups/north', ...folders].filter((prefix) => lists(RESULTS, prefix))).toEqual(
      [],
    );
    expect(lists(RESULTS, 'groups/north/')).toBe(true);
  });

  it('has the saved queries that need nothing but its three tables', () => {
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

  it('has a folder of answers that has no other folder of answers in it, as every workgroup has', () => {
    const places = Object.values(propertiesOf(template, 'AWS::Athena::WorkGroup', workGroupSchema)).map(
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
    for (const [name, folder] of places) {
      expect(places.filter(([other, within]) => other !== name && within.startsWith(folder))).toEqual([]);
    }
  });
});

describe('lake.groups', () => {
  const parsed = (groups: unknown) => {
    const { stage, ...json } = readSettings('dev');
    return parseSettings(stage, { ...json, lake: { ...json.lake, groups } }).lake.groups;
  };

  it('are none, and show no customers’ data, unless the settings say so', () => {
    expect(readSettings('prod').lake.groups).toEqual([]);
    expect(parsed([{ name: 'north', merchants: ['700001'] }])).toEqual([
      { name: 'north', merchants: ['700001'], personal: false },
    ]);
  });

  it.each<[string, unknown]>([
    ['lake.groups[0].name: must be a name', [{ name: 'North', merchants: 'all' }]],
    ['lake.groups[0].name: must be a name', [{ name: 'north_', merchants: 'all' }]],
    ['lake.groups[0].merchants: must be "all" or a list', [{ name: 'north', merchants: [] }]],
    ['lake.groups[0].merchants[0]: must be the code of', [{ name: 'north', merchants: ["7' OR 1=1"] }]],
    ['lake.groups[0].merchants: must be "all" or a list', [{ name: 'north', merchants: ['1', '1'] }]],
    [
      'lake.groups: has a name twice',
      [
        { name: 'a_b', merchants: 'all' },
        { name: 'ab', merchants: 'all' },
      ],
    ],
  ])('are refused with a reason: %s', (reason, groups) => {
    expect(() => parsed(groups)).toThrow(reason);
  });
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
