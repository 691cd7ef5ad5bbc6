import { describe, expect, it } from 'vitest';
import {
  addressHash,
  alertLedgerKey,
  alertStateKey,
  checkedKey,
  dataKey,
  historyKey,
  lastGoodKey,
  ledgerKey,
  manifestKey,
  notifiedDayKey,
  opsNoticeKey,
  pageKey,
  pageLedgerKey,
  suppressionKey,
  watchListKeys,
  LAST_TICK,
} from '#records/storage/keys.ts';
import { REGISTRY_KEY } from '#lib/functions.ts';
import { OPERATORS_ONLY } from '#lib/lake/for-analysts.ts';
import { LAKE_VIEWS } from '#lib/lake/views/index.ts';
import { viewSql } from '#lake/sql/lake-view.ts';
import { refusedInConsole } from '#support/stacks/athena-console.ts';
import { EvaluatedPolicy } from '#support/stacks/iam-evaluator.ts';
import { NAMES, RESULTS, dataObject, DATA, glueArn, workGroupArn } from '#support/stacks/deployed-lake.ts';
import { synthesise } from '#support/stacks/synthesised.ts';

const DAY = '2026-11-20';
const CODE = '700001';
const STATEMENT = { owner: { merchantCode: CODE }, period: '2026-W47' };
const GROUP_PAGE = { owner: { group: 'shops' }, period: DAY };
const PULL = '20261121T030005Z-9f2c61aa';

const template = (await synthesise('dev')).template('Lake');
const policy = new EvaluatedPolicy(template, 'Analysts', NAMES);

/** Keys of the tables and of the history that analysts query. */
const READABLE = [
  ...(['invoices', 'refunds'] as const).flatMap((table) =>
    (['json', 'csv'] as const).map((format) => dataKey(table, format, DAY, CODE, PULL)),
  ),
  manifestKey(DAY, CODE, 1),
  pageKey({ ...STATEMENT, revision: 1 }),
  pageKey({ ...GROUP_PAGE, revision: 1 }),
  'lake/invoices_history/metadata/00003-0b5f.metadata.json',
  'lake/invoices_history/data/business_date_month=2026-11/merchant_code_bucket=3/part-0.parquet',
];

/** A key of every other kind of object in the bucket. */
const HIDDEN = [
  REGISTRY_KEY,
  'config/registry.json',
  lastGoodKey(REGISTRY_KEY),
  watchListKeys(CODE).csv,
  ledgerKey(DAY, CODE, 1),
  alertLedgerKey(CODE, PULL),
  opsNoticeKey('a notice'),
  notifiedDayKey(DAY),
  suppressionKey(addressHash('owner@example.com')),
  alertStateKey(CODE),
  checkedKey(DAY, CODE),
  historyKey(CODE),
  LAST_TICK,
  'changes/noted_on=2026-11-21/0610-days-2026-11-20.json',
  pageLedgerKey({ ...STATEMENT, revision: 1 }),
  pageLedgerKey({ ...GROUP_PAGE, revision: 1 }),
];

const reads = (key: string) => policy.allows({ action: 's3:GetObject', resource: dataObject(key) });
const lists = (prefix: string) =>
  policy.allows({ action: 's3:ListBucket', resource: DATA, context: { 's3:prefix': prefix } });

const keepsAnswer = (key: string) =>
  ['s3:PutObject', 's3:GetObject', 's3:AbortMultipartUpload', 's3:ListMultipartUploadParts'].map((action) =>
    policy.allows({ action, resource: `${RESULTS}/${key}` }),
  );
const listsAnswers = (prefix: string) =>
  policy.allows({ action: 's3:ListBucket', resource: RESULTS, context: { 's3:prefix': prefix } });

/** A key and all its beginnings, the shortest first: every prefix that would list the key. */
function prefixesOf(key: string): string[] {
  return Array.from({ length: key.length + 1 }, (_, length) => key.slice(0, length));
}

describe('analysts', () => {
  it.each(READABLE)('may read and find %s', (key) => {
    expect(reads(key)).toBe(true);
    expect(lists(key.slice(0, key.lastIndexOf('/') + 1))).toBe(true);
  });

  it.each(HIDDEN)('may neither read nor find %s', (key) => {
    expect(reads(key)).toBe(false);
    expect(prefixesOf(key).filter(lists)).toEqual([]);
  });

  it('may not list the bucket without a prefix, nor read old versions', () => {
    expect(policy.allows({ action: 's3:ListBucket', resource: DATA })).toBe(false);
    for (const key of READABLE) {
      expect(policy.allows({ action: 's3:GetObjectVersion', resource: dataObject(key) })).toBe(false);
    }
    expect(policy.allows({ action: 's3:ListBucketVersions', resource: DATA })).toBe(false);
  });

  it.each(['s3:PutObject', 's3:DeleteObject', 's3:DeleteObjectVersion', 's3:AbortMultipartUpload'])(
    'may not change data: %s',
    (action) => {
      for (const key of [...READABLE, ...HIDDEN]) {
        expect(policy.allows({ action, resource: dataObject(key) })).toBe(false);
      }
    },
  );

  it('may read no secret, start no function, and change nothing in the catalogue', () => {
    const { region, account } = NAMES;
    const secret = `arn:aws:secretsmanager:${region}:${account}:secret:daybook/dev/credentials-a1b2c3`;
    expect(policy.allows({ action: 'secretsmanager:GetSecretValue', resource: secret })).toBe(false);
    const lambda = `arn:aws:lambda:${region}:${account}:function:daily-report`;
    expect(policy.allows({ action: 'lambda:InvokeFunction', resource: lambda })).toBe(false);
    for (const action of ['glue:UpdateTable', 'glue:DeleteTable', 'glue:CreateTable']) {
      expect(policy.allows({ action, resource: glueArn('table/daybook_dev/invoices') })).toBe(false);
    }
  });

  it('may do all that the console of Athena asks for', () => {
    expect(refusedInConsole(policy, 'daybook_dev', 'daybook-dev')).toEqual([]);
  });

  it('may use the workgroup of the lake, and no other', () => {
    const start = (name: string) =>
      policy.allows({ action: 'athena:StartQueryExecution', resource: workGroupArn(name) });
    expect([start('daybook-dev'), start('primary'), start('daybook-dev-north')]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('may write, read and list answers in their own folder', () => {
    expect(keepsAnswer('people/0b5f.csv')).toEqual([true, true, true, true]);
    expect(listsAnswers('people/')).toBe(true);
  });

  // The function `lake` merges what its answers say.
  it.each(['history/0b5f.csv', 'groups/north/0b5f.csv', '0b5f.csv', 'people'])(
    'may neither write, read nor list the answers of `lake` and of others: %s',
    (key) => {
      expect(keepsAnswer(key)).toEqual([false, false, false, false]);
      expect(prefixesOf(key).filter(listsAnswers)).toEqual([]);
      expect(policy.allows({ action: 's3:ListBucket', resource: RESULTS })).toBe(false);
    },
  );

  it('see the tables and views of the lake, and of no other database', () => {
    const sees = (table: string) =>
      policy.allows({ action: 'glue:GetTable', resource: glueArn(`table/${table}`) });
    expect([sees('daybook_dev/all_days'), sees('daybook_dev_north/days'), sees('other/days')]).toEqual([
      true,
      false,
      false,
    ]);
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

it('views that read a table which analysts may not read are those that the guide names', () => {
  const reads = (sql: string, names: readonly string[]) =>
    names.some((name) => new RegExp(`(FROM|JOIN) \\(?"?${name}\\b`, 'i').test(sql));
  const hidden = LAKE_VIEWS.filter((view) => reads(viewSql(view), OPERATORS_ONLY)).map(({ name }) => name);
  const above = LAKE_VIEWS.filter((view) => reads(viewSql(view), hidden)).map(({ name }) => name);
  expect([...hidden, ...above].toSorted()).toEqual(['all_mail', 'latest_mail', 'latest_statement_mail']);
});
