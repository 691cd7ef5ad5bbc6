import { gunzipSync } from 'node:zlib';
import { GetObjectCommand, ListObjectVersionsCommand } from '@aws-sdk/client-s3';
import type { S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { RegisteredMerchants } from '#lake/registered-merchants.ts';
import { groupDatabase } from '#lake/sql/groups.ts';
import type { LakeGroup } from '#lake/sql/groups.ts';
import { RegistrySource } from '#registry/registry-source.ts';
import { createS3Client } from '#runtime/s3-client.ts';
import type { TrinoLake } from '#sandbox/trino/index.ts';
import { defined } from '#support/assertions/defined.ts';
import { textWith } from '#support/assertions/text-with.ts';
import { startCommandStage } from '#support/command/command-stage.ts';
import type { CommandStage } from '#support/command/command-stage.ts';
import { documentOf, runCommand } from '#support/command/run-command.ts';
import { openLake } from '#support/lake/open-lake.ts';
import { RunningLake, inTrinosWords } from '#support/lake/running-lake.ts';
import { BUCKET, CODE, DAY } from '#support/world/daybook-world.ts';

const SECOND = '700002';
const DAY_BEFORE = '2026-11-19';
const DAYS = [DAY_BEFORE, DAY];
const SUPPORT: LakeGroup = { name: 'support', merchants: 'all', personal: true };
const NORTH: LakeGroup = { name: 'north', merchants: [CODE, SECOND], personal: false };
const GROUPS = [SUPPORT, NORTH];

/** Two customers, and one who is nearly the first. */
const LOST = { name: 'Canary Lost', email: 'canary-lost@example.org', phone_number: '+965 5000-1234' };
const GONE = { name: "Canary O'Gone", email: "canary-o'gone@example.org", phone_number: '+96550009876' };
const LIKE = { name: 'Like', email: 'not-canary-lost@example.org', phone_number: '+965500012345' };
const NOBODY = { name: '', email: '', phone_number: '' };

let stage: CommandStage;
let lake: TrinoLake;
let keeper: RunningLake;
let s3: S3Client;
/** Invoices of the first customer by day. */
const lost: Record<string, number> = {};

const report = (merchantCode: string, day: string) => stage.world.report({ merchantCode, day, send: false });
const run = (...words: string[]) => runCommand([...words, ...stage.options]);

/** The function `lake`, as the stage has it now. */
async function invoke(event: unknown): Promise<unknown> {
  const now = new Date(stage.world.clock.now()).toISOString();
  const { answer, error } = await keeper.run(now, event);
  if (error !== undefined) throw error;
  return answer;
}

beforeAll(async () => {
  stage = await startCommandStage({ merchants: 2, startAt: '2026-11-22T09:00:00Z' });
  const { world, aws } = stage;
  await world.putEmptyHistories();
  const { data } = world.payments;
  for (const merchantCode of [CODE, SECOND]) {
    for (const day of DAYS) data.seedDay(merchantCode, day, { invoices: 4, refunds: 2 });
  }
  for (const day of DAYS) lost[day] = data.insertInvoice(CODE, day, { customer: LOST, amount: '11.500' });
  data.insertInvoice(CODE, DAY, { customer: LIKE, amount: '1.500' });
  data.insertInvoice(SECOND, DAY, { customer: GONE, description: `for ${GONE.name}`, amount: '7.250' });
  for (const merchantCode of [CODE, SECOND]) for (const day of DAYS) await report(merchantCode, day);
  // A second revision of one page.
  data.insertInvoice(CODE, DAY_BEFORE);
  await report(CODE, DAY_BEFORE);
  const s3Endpoint = defined(world.environment['AWS_ENDPOINT_URL_S3']);
  lake = await openLake({ s3Endpoint, bucket: BUCKET, today: '2026-11-22' });
  for (const group of GROUPS) await lake.run(`CREATE SCHEMA ${groupDatabase(lake.database, group)}`);
  keeper = await RunningLake.start(
    ({ query }, signal) => lake.run(query, signal),
    { groups: GROUPS },
    inTrinosWords(lake.database, GROUPS, BUCKET),
    BUCKET,
  );
  s3 = createS3Client();
  keeper.merchants = new RegisteredMerchants(
    s3,
    BUCKET,
    new RegistrySource(s3, BUCKET, 'config/merchants.json'),
  );
  aws.stacks.set('Daybook-local-Lake', { outputs: { LakeFirstDay: '2026-11-01' } });
  aws.lambda.add('daybook-local-lake', { invoke });
  await invoke({});
});
afterAll(async () => {
  s3.destroy();
  await keeper.athena.close();
  await lake.close();
  await stage.close();
});

/** The keys of all versions that can be read and contain a text. The files of the history cannot. */
async function versionsWith(text: string): Promise<string[]> {
  const { Versions: versions = [] } = await s3.send(new ListObjectVersionsCommand({ Bucket: BUCKET }));
  const found = await Promise.all(
    versions.map(async ({ Key: key = '', VersionId }) => {
      const { Body: body } = await s3.send(new GetObjectCommand({ Bucket: BUCKET, Key: key, VersionId }));
      const bytes = Buffer.from((await body?.transformToByteArray()) ?? []);
      return (key.endsWith('.gz') ? gunzipSync(bytes) : bytes).includes(text) ? [key] : [];
    }),
  );
  return [...new Set(found.flat())].toSorted();
}

const TABLES = ['invoices_history', `${groupDatabase('daybook_dev', SUPPORT)}.invoices`];

/** How many rows of any snapshot of the tables have the text: those that can still be read. */
async function rowsWith(email: string): Promise<number> {
  let rows = 0;
  for (const table of TABLES) {
    const [schema, name] = table.includes('.') ? table.split('.') : [lake.database, table];
    const named = `iceberg.${schema}."${name}$snapshots"`;
    for (const { snapshot_id: id } of await lake.query(`SELECT snapshot_id FROM ${named}`)) {
      const [row] = await lake.query(
        `SELECT count(*) AS n FROM iceberg.${schema}.${name} FOR VERSION AS OF ${z.string().parse(id)} WHERE customer_email = '${email.replaceAll("'", "''")}'`,
      );
      rows += Number(row?.['n']);
    }
  }
  return rows;
}

/** What the figures of the history say. */
function sums(where = 'TRUE'): Promise<unknown> {
  return lake.query(
    `SELECT day, merchant_code, count(*) AS n, sum(amount) AS amount FROM invoices_history WHERE ${where} GROUP BY 1, 2 ORDER BY 1, 2`,
  );
}

/** Forty minutes later, a look of the function `lake`. */
async function nextLook(): Promise<void> {
  stage.setTime(new Date(stage.world.clock.now() + 40 * 60_000).toISOString());
  await invoke({});
}

const codeSchema = z.looseObject({ code: z.string() });

/** Forgets a customer as a script does: it takes the code from the dry run. */
async function forget(...customer: string[]) {
  const dry = await run('customer', 'forget', ...customer, '--dry-run', '--json');
  const { code } = codeSchema.parse(documentOf(dry));
  return run('customer', 'forget', ...customer, '--yes', '--code', code);
}

const BY_EMAIL = ['--email', LOST.email.toUpperCase()];

describe('a customer', () => {
  it('is listed by address or number, and nobody else is', async () => {
    const files = await versionsWith(`"${LOST.email}"`);
    expect(files).toHaveLength(3);
    for (const customer of [BY_EMAIL, ['--phone', '0096550001234'], ['--id', LOST.name]]) {
      const dry = documentOf(await run('customer', 'forget', ...customer, '--dry-run', '--json'));
      // Each JSON file has its CSV file beside it.
      expect(dry).toMatchObject({ keys: { length: 6 }, rows: { invoices_history: 2, [TABLES[1] ?? '']: 2 } });
      expect(codeSchema.parse(dry)['keys']).toEqual(expect.arrayContaining(files));
    }
  });

  it('whom the service still sends is not forgotten, and nothing is deleted', async () => {
    const before = await versionsWith(LOST.email);
    const refused = await forget(...BY_EMAIL);
    expect(refused).toMatchObject({ code: 1, stderr: textWith(`${CODE} ${DAY}`) });
    expect(await versionsWith(LOST.email)).toEqual(before);
  });

  it('is forgotten: no version and no table has them, also where the command died', async () => {
    const before = await sums();
    for (const day of DAYS)
      stage.world.payments.data.updateInvoice(CODE, defined(lost[day]), { customer: NOBODY });
    let deaths = 0;
    stage.aws.lambda.add('daybook-local-lake', {
      invoke: (event) => {
        if (!JSON.stringify(event).startsWith('{"forget"') || (deaths += 1) > 1) return invoke(event);
        throw new Error('it died');
      },
    });
    expect(await forget(...BY_EMAIL)).toMatchObject({ code: 1 });
    const done = await forget(...BY_EMAIL);
    expect(done).toMatchObject({ code: 0, stdout: textWith('is forgotten') });
    const withoutLike = async (text: string) =>
      (await versionsWith(text)).filter((key) => !/json|csv/.test(key));
    expect(await withoutLike(LOST.email)).toEqual([]);
    expect(await versionsWith(LOST.name)).toEqual([]);
    expect(await versionsWith(LIKE.name)).not.toEqual([]);
    expect(await sums()).toEqual(before);
    expect(await rowsWith(LOST.email)).toBeGreaterThan(0);
  });

  it('cannot be read in an old snapshot after the next look', async () => {
    await nextLook();
    expect(await rowsWith(LOST.email)).toBe(0);
    expect(await rowsWith(LIKE.email)).toBeGreaterThan(0);
    const dry = documentOf(await run('customer', 'forget', ...BY_EMAIL, '--dry-run', '--json'));
    expect(dry).toMatchObject({ keys: [], rows: {}, snapshotsWait: false });
  });

  it('of a merchant that has left is forgotten without another pull, and no later merge brings them back', async () => {
    expect(await run('merchant', 'remove', SECOND, '--with-secret', '--yes')).toMatchObject({ code: 0 });
    const before = await sums();
    expect(await forget('--email', GONE.email)).toMatchObject({ code: 0 });
    await invoke({ from: DAY, to: DAY });
    await nextLook();
    expect(await versionsWith(GONE.email)).toEqual([]);
    expect(await versionsWith(GONE.name)).toEqual([]);
    expect(await rowsWith(GONE.email)).toBe(0);
    expect(await sums()).toEqual(before);
  });
});

it('redacted columns are empty in the history from the next pull of the day', async () => {
  const page = `WHERE merchant_code = '${CODE}' AND day = '${DAY_BEFORE}'`;
  const named = () =>
    lake.query(`SELECT count(customer_name) AS names, count(url) AS urls FROM invoices_history ${page}`);
  expect(await named()).not.toEqual([{ names: '0', urls: '0' }]);
  await run('merchant', 'set', CODE, 'redact=customer,url', '--yes');
  await report(CODE, DAY_BEFORE);
  await invoke({ from: DAY_BEFORE, to: DAY_BEFORE });
  expect(await named()).toEqual([{ names: '0', urls: '0' }]);
});

it('a merchant leaves and is forgotten, and no later merge brings it back', async () => {
  const others = () => sums(`merchant_code <> '${SECOND}'`);
  const before = await others();
  const done = await run('merchant', 'forget', SECOND, '--yes', '--code', SECOND, '--json');
  expect(done).toMatchObject({ code: 0 });
  const { record } = z.looseObject({ record: z.string() }).parse(documentOf(done));
  await invoke({ from: DAY_BEFORE, to: DAY });
  await nextLook();
  // What docs/forgetting.md names: old versions of the registry, and of what the lake knew of it.
  const left = await versionsWith(SECOND);
  expect(left.filter((key) => !/^(config\/|lake\/)/.test(key))).toEqual([record]);
  expect(await stage.world.text('lake/merchants/registered.jsonl')).not.toContain(SECOND);
  const dry = documentOf(await run('merchant', 'forget', SECOND, '--dry-run', '--json'));
  expect(dry).toMatchObject({ keys: [], rows: {}, snapshotsWait: false });
  for (const table of ['invoices_history', 'days_history', `${groupDatabase('daybook_dev', NORTH)}.days`]) {
    const rows = await lake.query(`SELECT count(*) AS n FROM ${table} WHERE merchant_code = '${SECOND}'`);
    expect(rows, table).toEqual([{ n: '0' }]);
  }
  expect(await others()).toEqual(before);
});
