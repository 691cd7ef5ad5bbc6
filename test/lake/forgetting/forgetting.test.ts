import { gunzipSync } from 'node:zlib';
import { GetObjectCommand, ListObjectVersionsCommand } from '@aws-sdk/client-s3';
import type { S3Client } from '@aws-sdk/client-s3';
import * as z from 'zod';
import { RegisteredMerchants } from '#lake/registered-merchants.ts';
import { groupDatabase } from '#lake/sql/groups.ts';
import type { LakeGroup } from '#lake/sql/groups.ts';
import { RegistrySource } from '#registry/registry-source.ts';
import { createS3Client } from '#runtime/s3-client.ts';
import type { TrinoLake } from '#sandbox/trino/index.ts';
import { defined, textWith } from '#support/assertions/index.ts';
import { startCommandStage, type CommandStage } from '#support/command/command-stage.ts';
import { documentOf, runCommand } from '#support/command/run-command.ts';
import { openLakeOf, RunningLake } from '#support/lake/running-lake.ts';
import { inTrinosWords } from '#support/lake/history-lake.ts';
import { BUCKET, CODE, DAY } from '#support/world/daybook-world.ts';

const SECOND = '700002';
const DAY_BEFORE = '2026-11-19';
const DAYS = [DAY_BEFORE, DAY];
const SUPPORT: LakeGroup = { name: 'support', merchants: 'all', personal: true };

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
  // Files that mails link, of the day and of a month with it.
  for (const page of [`days/day=${DAY}/merchant=${CODE}`, `statements/period=2026-11/merchant=${CODE}`])
    await aws.s3.write(BUCKET, `links/${page}/r0001.csv`, LOST.name);
  lake = await openLakeOf(world);
  await lake.run(`CREATE SCHEMA ${groupDatabase(lake.database, SUPPORT)}`);
  keeper = await RunningLake.start(
    ({ query }, signal) => lake.run(query, signal),
    { groups: [SUPPORT] },
    inTrinosWords,
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

/** The keys of all versions that contain a text. @param isCurrent whether to look into the newest ones only */
async function versionsWith(text: string, isCurrent = false): Promise<string[]> {
  const { Versions: versions = [] } = await s3.send(new ListObjectVersionsCommand({ Bucket: BUCKET }));
  const found = await Promise.all(
    versions.map(async ({ Key: key = '', VersionId, IsLatest: isLatest }) => {
      if (isCurrent && isLatest !== true) return [];
      const { Body: body } = await s3.send(new GetObjectCommand({ Bucket: BUCKET, Key: key, VersionId }));
      const bytes = Buffer.from((await body?.transformToByteArray()) ?? []);
      return (key.endsWith('.gz') ? gunzipSync(bytes) : bytes).includes(text) ? [key] : [];
    }),
  );
  return [...new Set(found.flat())].toSorted();
}

/** The same without the files of the lake, whose old versions S3 keeps for a day. */
async function othersWith(text: string): Promise<string[]> {
  return (await versionsWith(text)).filter((key) => !key.startsWith('lake/'));
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

/** Forty minutes later, an invocation of the function `lake`. */
async function later(event: unknown): Promise<void> {
  stage.setTime(new Date(stage.world.clock.now() + 40 * 60_000).toISOString());
  await invoke(event);
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
      // Each JSON file has its CSV file beside it, and there are two linked files.
      expect(dry).toMatchObject({ keys: { length: 8 }, rows: { invoices_history: 2, [TABLES[1] ?? '']: 2 } });
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
    expect(await othersWith(LOST.name)).toEqual([]);
    expect(await othersWith(LIKE.name)).not.toEqual([]);
    expect(await sums()).toEqual(before);
    expect(await rowsWith(LOST.email)).toBeGreaterThan(0);
  });

  it('of a merchant that has left is forgotten without another pull', async () => {
    expect(await run('merchant', 'remove', SECOND, '--with-secret', '--yes')).toMatchObject({ code: 0 });
    const before = stage.invocations.length;
    expect(await forget('--email', GONE.email)).toMatchObject({ code: 0 });
    expect(stage.invocations).toHaveLength(before);
    expect(await othersWith(GONE.name)).toEqual([]);
  });

  it('is in no snapshot after the next look, and no later merge brings them back', async () => {
    const before = await sums();
    await later({ from: DAY, to: DAY });
    expect(await rowsWith(LIKE.email)).toBeGreaterThan(0);
    for (const { name, email } of [LOST, GONE]) {
      expect(await rowsWith(email)).toBe(0);
      expect(await versionsWith(name, true)).toEqual([]);
      const dry = documentOf(await run('customer', 'forget', '--email', email, '--dry-run', '--json'));
      expect(dry).toMatchObject({ keys: [], rows: {}, snapshotsWait: false });
    }
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
  await later({ from: DAY_BEFORE, to: DAY_BEFORE });
  expect(await named()).toEqual([{ names: '0', urls: '0' }]);
});

it('a merchant leaves and is forgotten, and no later merge brings it back', async () => {
  const others = () => sums(`merchant_code <> '${SECOND}'`);
  const before = await others();
  const done = await run('merchant', 'forget', SECOND, '--yes', '--code', SECOND, '--json');
  expect(done).toMatchObject({ code: 0 });
  const { record } = z.looseObject({ record: z.string() }).parse(documentOf(done));
  await later({ from: DAY_BEFORE, to: DAY });
  // What docs/forgetting.md names.
  expect(await othersWith(SECOND)).toEqual(['config/merchants.json', record]);
  expect(await versionsWith(SECOND, true)).toEqual([record]);
  const dry = documentOf(await run('merchant', 'forget', SECOND, '--dry-run', '--json'));
  expect(dry).toMatchObject({ keys: [], rows: {}, snapshotsWait: false });
  expect(await others()).toEqual(before);
});
