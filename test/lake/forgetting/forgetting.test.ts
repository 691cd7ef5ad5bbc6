import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  eraseCustomer,
  findCustomer,
  findCustomerInHistory,
  expireNowInTrino,
  OF_MERCHANTS,
  eraseMerchant,
  findMerchant,
} from '#support/lake/forget.ts';
import { TrinoClient } from '#sandbox/trino/index.ts';
import type { TrinoLake } from '#sandbox/trino/index.ts';
import { defined } from '#support/assertions/defined.ts';
import { makeHistoryTables, mergeHistory } from '#support/lake/history-lake.ts';
import { openLake } from '#support/lake/open-lake.ts';
import { BUCKET, CODE, DAY, DaybookWorld } from '#support/world/daybook-world.ts';

const SECOND = '700002';
const DAY_BEFORE = '2026-11-19';
const DAYS = [DAY_BEFORE, DAY];
const FROM = '2026-11-01';

/** Two customers. Nothing else in the lake contains these texts. */
const LOST = { name: 'Canary Lost', email: 'canary-lost@example.org', phone_number: '+96550001234' };
const GONE = { name: "Canary O'Gone", email: "canary-o'gone@example.org", phone_number: '+96550009876' };
const NOBODY = { name: '', email: '', phone_number: '' };

let world: DaybookWorld;
let lake: TrinoLake;
let endpoint: string;
/** Invoices of the customers by day. */
const lost: Record<string, number> = {};

const report = (merchantCode: string, day: string) => world.report({ merchantCode, day, send: false });

beforeAll(async () => {
  world = await DaybookWorld.start({ merchants: 2 });
  await world.putEmptyHistories();
  const { data } = world.payments;
  for (const merchantCode of [CODE, SECOND]) {
    for (const day of DAYS) data.seedDay(merchantCode, day, { invoices: 4, refunds: 2 });
  }
  for (const day of DAYS) lost[day] = data.insertInvoice(CODE, day, { customer: LOST, amount: '11.500' });
  data.insertInvoice(SECOND, DAY, { customer: GONE, description: `for ${GONE.name}`, amount: '7.250' });
  for (const merchantCode of [CODE, SECOND]) for (const day of DAYS) await report(merchantCode, day);
  // A second revision of one page.
  data.insertInvoice(CODE, DAY_BEFORE);
  await report(CODE, DAY_BEFORE);
  endpoint = defined(world.environment['AWS_ENDPOINT_URL_S3']);
  lake = await openLake({ s3Endpoint: endpoint, bucket: BUCKET, today: '2026-11-22' });
  await makeHistoryTables(lake, BUCKET);
  await mergeHistory(lake, DAYS);
});
afterAll(async () => {
  await lake.close();
  await world.close();
});

/** Keys of all files that hold the customer, JSON and CSV. */
async function filesOf(text: string): Promise<string[]> {
  const rows = await lake.query(findCustomer({ text, from: FROM }));
  return rows.flatMap(({ csv, json }) => z.tuple([z.string(), z.string()]).parse([csv, json])).toSorted();
}

/** Keys of all objects that contain the text, in readable form. Files of the history are not readable. */
async function keysWith(text: string): Promise<string[]> {
  const keys = world.keys().filter((key) => !key.startsWith('lake/'));
  const found = await Promise.all(
    keys.map(async (key) => ((await world.text(key)).includes(text) ? [key] : [])),
  );
  return found.flat().toSorted();
}

async function remove(keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    const response = await fetch(`${endpoint}/${BUCKET}/${key}`, { method: 'DELETE' });
    expect(response.ok).toBe(true);
  }
}

const inHistory = (text: string) => lake.query(findCustomerInHistory({ text }));

/** What the figures of the history say. */
function sums(): Promise<unknown> {
  return lake.query(
    `SELECT day, merchant_code, count(*) AS n, sum(amount) AS amount FROM invoices_history GROUP BY 1, 2 ORDER BY 1, 2`,
  );
}

/** The snapshots of the invoices in which a text can be read. */
async function snapshotsWith(email: string): Promise<string[]> {
  const table = `iceberg.${lake.database}.invoices_history`;
  const ids = await lake.query(
    `SELECT snapshot_id FROM iceberg.${lake.database}."invoices_history$snapshots" ORDER BY committed_at`,
  );
  const found: string[] = [];
  for (const { snapshot_id } of ids) {
    const id = z.string().parse(snapshot_id);
    const literal = `'${email.replaceAll("'", "''")}'`;
    const [row] = await lake.query(
      `SELECT count(*) AS n FROM ${table} FOR VERSION AS OF ${id} WHERE customer_email = ${literal}`,
    );
    if (Number(row?.['n']) > 0) found.push(id);
  }
  return found;
}

/** Makes what was deleted unreadable at once, in a catalog that allows it. */
async function expireNow(): Promise<void> {
  const client = new TrinoClient({ url: defined(process.env['DAYBOOK_TRINO']) });
  await client.run(`CREATE CATALOG forgetting USING iceberg WITH (
    "iceberg.catalog.type" = 'TESTING_FILE_METASTORE',
    "hive.metastore.catalog.dir" = 's3://metastore/',
    "iceberg.security" = 'allow_all',
    "iceberg.expire-snapshots.min-retention" = '0s',
    "iceberg.remove-orphan-files.min-retention" = '0s',
    "fs.hadoop.enabled" = 'false',
    "fs.native-s3.enabled" = 'true',
    "s3.endpoint" = '${endpoint}',
    "s3.region" = 'us-east-1',
    "s3.path-style-access" = 'true',
    "s3.aws-access-key" = 'sandbox',
    "s3.aws-secret-key" = 'sandbox'
  )`);
  try {
    for (const { name } of OF_MERCHANTS) {
      for (const sql of expireNowInTrino({ name: `forgetting.${lake.database}.${name}` }))
        await client.run(sql);
    }
  } finally {
    await client.run('DROP CATALOG forgetting');
  }
}

/** Every data file and delete file of a table is part of what the table shows now. */
async function expectNothingLeftBehind(): Promise<void> {
  for (const name of ['invoices_history', 'refunds_history']) {
    const files = await lake.query(`SELECT file_path, content FROM iceberg.${lake.database}."${name}$files"`);
    const live = files.map(({ file_path }) => z.string().parse(file_path).replace(`s3://${BUCKET}/`, ''));
    const stored = world.keys(`lake/${name}/`).filter((key) => key.endsWith('.parquet'));
    expect(stored.toSorted(), name).toEqual(live.toSorted());
    // No delete file: a deleted row is not in a file any more either.
    expect(
      files.filter(({ content }) => content !== 0),
      name,
    ).toEqual([]);
  }
}

describe('a customer', () => {
  it('is found in the files of every revision, and in the history', async () => {
    const files = await filesOf(LOST.email.toUpperCase());
    expect(files).toHaveLength(6);
    expect(files).toEqual(await keysWith(LOST.email));
    expect(await filesOf(LOST.phone_number)).toEqual(files);
    expect(await filesOf(GONE.email)).toEqual(await keysWith(GONE.email));
    expect(await filesOf('nobody@example.org')).toEqual([]);
    expect(await inHistory(LOST.email)).toEqual(
      DAYS.map((day): unknown => expect.objectContaining({ what: 'invoices', day, merchant_code: CODE })),
    );
  });

  it('that the service forgot is gone after the day is pulled and merged again', async () => {
    const old = await filesOf(LOST.email);
    const before = await sums();
    for (const day of DAYS) {
      world.payments.data.updateInvoice(CODE, defined(lost[day]), { customer: NOBODY });
      await report(CODE, day);
    }
    expect(await filesOf(LOST.email)).toEqual(old);
    await remove(old);
    await mergeHistory(lake, DAYS);
    expect(await inHistory(LOST.email)).toEqual([]);
    expect(await keysWith(LOST.email)).toEqual([]);
    expect(await sums()).toEqual(before);
    expect(await snapshotsWith(LOST.email)).not.toEqual([]);
  });

  it('that the service keeps is taken out of the history, and no later merge brings them back', async () => {
    const before = await sums();
    for (const of of ['invoices', 'refunds'] as const) {
      await lake.run(eraseCustomer({ text: GONE.email, of, table: `${of}_history` }));
    }
    await remove(await filesOf(GONE.email));
    // Another merchant's page of the same day changes. The day is merged again, and pulled again.
    world.payments.data.insertInvoice(CODE, DAY, { amount: '1.000' });
    await report(CODE, DAY);
    expect(await report(SECOND, DAY)).toMatchObject({ unchanged: true });
    await mergeHistory(lake, DAYS);
    expect(await inHistory(GONE.email)).toEqual([]);
    expect(await inHistory(GONE.name)).toEqual([]);
    expect(await keysWith(GONE.email)).toEqual([]);
    const ofSecond = (rows: unknown) =>
      z
        .array(z.looseObject({ merchant_code: z.string() }))
        .parse(rows)
        .filter((row) => row.merchant_code === SECOND);
    expect(ofSecond(await sums())).toEqual(ofSecond(before));
    expect(await snapshotsWith(GONE.email)).not.toEqual([]);
  });

  it('cannot be read in an old snapshot after these are removed, and in no file of the bucket', async () => {
    await expireNow();
    for (const { email } of [LOST, GONE]) expect(await snapshotsWith(email)).toEqual([]);
    await expectNothingLeftBehind();
    const snapshots = await lake.query(
      `SELECT count(*) AS n FROM iceberg.${lake.database}."invoices_history$snapshots"`,
    );
    expect(snapshots).toEqual([{ n: '1' }]);
  });
});

it(
  'redacted columns are empty in the history from the next pull of the day',
  { timeout: 300_000 },
  async () => {
    const page = `WHERE merchant_code = '${SECOND}' AND day = '${DAY_BEFORE}'`;
    const named = async () =>
      lake.query(
        `SELECT count(customer_name) AS names, count(url) AS urls, count(*) AS n FROM invoices_history ${page}`,
      );
    expect(await named()).toEqual([{ names: '4', urls: '4', n: '4' }]);
    await world.putRegistry({ [SECOND]: { redact: ['customer', 'url'] } });
    await report(SECOND, DAY_BEFORE);
    await mergeHistory(lake, [DAY_BEFORE]);
    expect(await named()).toEqual([{ names: '0', urls: '0', n: '4' }]);
  },
);

describe('a merchant', () => {
  it('is gone from the bucket and the history, and no later merge brings them back', async () => {
    const others = () =>
      lake.query(`SELECT * FROM invoices_history WHERE merchant_code <> '${CODE}' ORDER BY day, id`);
    const before = await others();
    expect(await lake.query(findMerchant(CODE))).not.toEqual([]);
    await remove(world.keys().filter((key) => key.includes(`/merchant=${CODE}`)));
    for (const sql of eraseMerchant(CODE)) await lake.run(sql);
    await mergeHistory(lake, DAYS);
    expect(await lake.query(findMerchant(CODE))).toEqual([]);
    expect(world.keys().filter((key) => key.includes(CODE))).toEqual([]);
    expect(await others()).toEqual(before);
    await expireNow();
    await expectNothingLeftBehind();
  });
});
