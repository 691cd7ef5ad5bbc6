import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BUCKET, CODE, DAY } from '#support/world/daybook-world.ts';
import { formatAmount, parseSum } from '#records/money/money.ts';
import { ledgerSchema } from '#records/ledger/ledger.ts';
import type { Ledger } from '#records/ledger/ledger.ts';
import { composeStatement } from '#page/figures/compose-statement.ts';
import { addressHash, manifestKey, pageKey } from '#records/storage/keys.ts';
import { NAMED_QUERIES } from '#lib/lake/queries/index.ts';
import type { TrinoRow } from '#sandbox/trino/index.ts';
import { asText, openLakeWorld } from '#support/lake/running-lake.ts';
import { HAS_DUCKDB, askDuckdb, spelled } from '#support/lake/duckdb.ts';
import { mailStatements, makeHistoryTables, sliceOf } from '#support/lake/history-lake.ts';
import { DAY_BEFORE, SECOND, THIRD, TODAY, type StoredRecord } from '#support/lake/lake-world.ts';
import { defined } from '#support/assertions/index.ts';
import * as z from 'zod';

const { made, lake } = await openLakeWorld();
await makeHistoryTables(lake, BUCKET);

const MERGED_AT = `${TODAY}T23:00:00.000Z`;
const answered = new Set<string>();

function sqlOf(name: string): string {
  return defined(NAMED_QUERIES.find((query) => query.name === name)).sql;
}

function ask(name: string): Promise<TrinoRow[]> {
  answered.add(name);
  return lake.query(sqlOf(name));
}

/** What the query answers after a merge of all ledgers. */
async function askAboutMail(): Promise<TrinoRow[]> {
  await lake.run('DELETE FROM mail_history');
  for (const sql of mailStatements(sliceOf([DAY_BEFORE, DAY]), MERGED_AT)) await lake.run(sql);
  return ask('mail-not-delivered');
}

function total(records: StoredRecord[]): string {
  return formatAmount(records.reduce((sum, { record }) => sum + parseSum(String(record['amount'])), 0n));
}

function truthOf(merchantCode: string, day: string) {
  return made.world.payments.data.truth(merchantCode, day);
}

function records(kind: StoredRecord['kind'], of = made.truth): StoredRecord[] {
  return of.filter((stored) => stored.kind === kind);
}

const member = (stored: StoredRecord, name: string) => {
  const value = stored.record[name];
  return typeof value === 'string' ? value : JSON.stringify(value);
};

it('the query unbalanced-days gives the days that do not balance', async () => {
  const rows = await ask('unbalanced-days');
  expect(rows).toMatchObject([{ day: DAY_BEFORE, merchant_code: THIRD, revision: '1' }]);
  expect(JSON.parse(asText(defined(rows[0])['differences']))).toContainEqual({
    name: 'statsTotal',
    what: 'stats.total_invoice_count',
    service: 64,
    rows: 60,
  });
});

it('the query refunds-on-both-bases gives refunds by refund date, and every sealed refund of a day’s sales by sale date', async () => {
  const answer = await ask('refunds-on-both-bases');
  const figures = (rows: StoredRecord[]) => [String(rows.length), total(rows)];
  const words = ['pending', 'approved', 'rejected'];
  const of = ({ day, merchant_code: merchant, state }: TrinoRow, name: string) =>
    records('refund').filter(
      (stored) =>
        stored.merchantCode === merchant &&
        member(stored, 'status') === String(words.indexOf(asText(state))) &&
        String(stored.record[name]).startsWith(asText(day)),
    );
  for (const row of answer) {
    const [given, ofSales] = ['refund_at', 'transaction_date'].map((name) => figures(of(row, name)));
    expect([row['refunds'], row['refund_amount']]).toEqual(given);
    expect([row['refunds_of_sales'], row['refund_amount_of_sales']]).toEqual(ofSales);
  }
  const all = (name: string) => answer.reduce((sum, row) => sum + Number(row[name]), 0);
  for (const name of ['refunds', 'refunds_of_sales']) expect(all(name)).toBe(records('refund').length);
  // Those of the day before, given on the day: the page of their sale does not have them.
  const { refundsOfSales } = truthOf(CODE, DAY_BEFORE);
  const late = records('refund').filter(
    ({ day, merchantCode, record }) =>
      day === DAY && merchantCode === CODE && String(record['transaction_date']).startsWith(DAY_BEFORE),
  );
  expect(late.length).toBeGreaterThan(0);
  const found = answer.filter((row) => row['day'] === DAY_BEFORE && row['merchant_code'] === CODE);
  expect(found.reduce((sum, row) => sum + Number(row['refunds_of_sales']), 0)).toBe(refundsOfSales.count);
});

it('the query late-changes gives the changes between revisions', async () => {
  const rows = await ask('late-changes');
  expect(rows.map((row) => [row['day'], row['merchant_code'], row['revision']])).toEqual([
    [DAY, CODE, '2'],
    [DAY, CODE, '3'],
    [DAY_BEFORE, CODE, '2'],
  ]);
  const paid = (of: StoredRecord[], status: string) =>
    records('invoice', of).filter(
      (stored) =>
        stored.merchantCode === CODE && stored.day === DAY && member(stored, 'invoice_status') === status,
    ).length;
  expect(rows[0]).toMatchObject({
    invoices_change: '0',
    paid_change: String(paid(made.truth, '1') - paid(made.earlier, '1')),
    not_paid_change: String(paid(made.truth, '0') - paid(made.earlier, '0')),
    cancelled_change: '0',
    refunds_change: '0',
    refund_amount_change: '0.000',
  });
  expect(Number(defined(rows[0])['paid_change'])).toBeGreaterThan(0);
  // The refund of 10.000 became one of 7.250.
  expect(rows[1]).toMatchObject({ paid_change: '0', refunds_change: '0', refund_amount_change: '-2.750' });
  const late = { invoices_change: '1', not_paid_change: '1', refund_amount_change: '0.000' };
  expect(rows[2]).toMatchObject(late);
});

it('the query perhaps-paid-twice gives paid invoices of one reference, amount and customer, and no customer', async () => {
  const paid = records('invoice').filter((stored) => member(stored, 'invoice_status') === '1');
  const customerSchema = z.object({ name: z.string(), email: z.string(), phone_number: z.string() });
  const groups = Map.groupBy(paid, ({ merchantCode, record }) => {
    const { phone_number: phone, email, name } = customerSchema.parse(record['customer']);
    const customer = phone.trim() || email.trim().toLowerCase() || name.trim();
    const reference = String(record['reference_number']).trim();
    if (customer === '' || reference === '') return null;
    return JSON.stringify([merchantCode, reference, record['amount'], customer]);
  });
  const expected = [...groups].filter(([key, of]) => key !== null && of.length > 1);
  expect(expected.length).toBeGreaterThan(0);
  const answer = await ask('perhaps-paid-twice');
  expect(answer.map((row) => Number(row['invoices'])).toSorted()).toEqual(
    expected.map(([, of]) => of.length).toSorted(),
  );
  expect(Object.keys(defined(answer[0])).toSorted().join(' ')).toBe(
    'amount currency first_day ids invoices last_day merchant_code reference_number',
  );
});

it('the query mail-not-delivered gives every mail without a delivery', async () => {
  const recipient = (merchant: string) => addressHash(`owner-${merchant}@merchants.example`);
  const rows = (await askAboutMail()).map(
    ({ day, merchant_code: merchant, revision, kind, status, recipient: to }) =>
      [day, merchant, revision, kind, status, to].map(asText).join(' '),
  );
  // The third merchant's mail of the day was delivered; the second's of the day before was not to be sent.
  expect(rows.toSorted()).toEqual(
    [
      `${DAY} ${CODE} 1 report accepted ${recipient(CODE)}`,
      `${DAY} ${CODE} 2 correction accepted ${recipient(CODE)}`,
      `${DAY} ${CODE} 3 correction accepted ${recipient(CODE)}`,
      `${DAY} ${SECOND} 1 report bounced ${recipient(SECOND)}`,
      `${DAY_BEFORE} ${CODE} 1 report accepted ${recipient(CODE)}`,
      `${DAY_BEFORE} ${CODE} 2 correction accepted ${recipient(CODE)}`,
      `${DAY_BEFORE} ${THIRD} 1 report accepted ${recipient(THIRD)}`,
    ].toSorted(),
  );
});

/** What the query answers while the ledgers are changed so; one that becomes `undefined` is missing. */
async function askWithLedgers(
  change: (ledger: Ledger, key: string) => Ledger | undefined,
): Promise<TrinoRow[]> {
  const { s3 } = made.world.aws;
  const kept = new Map<string, Buffer>();
  try {
    for (const key of made.world.keys('mail/day=')) {
      const body = defined(await s3.read(BUCKET, key));
      kept.set(key, body);
      const ledger = change(ledgerSchema.parse(JSON.parse(body.toString('utf8'))), key);
      if (ledger === undefined) await s3.remove(BUCKET, key);
      else await s3.write(BUCKET, key, `${JSON.stringify(ledger)}\n`);
    }
    return await askAboutMail();
  } finally {
    for (const [key, body] of kept) await s3.write(BUCKET, key, body);
  }
}

it('the query mail-not-delivered leaves out a delivered mail that was sent again to a stopped address', async () => {
  const before = await askAboutMail();
  const after = await askWithLedgers((ledger) => {
    const again = ledger.recipients.map((recipient) => ({
      ...recipient,
      status: 'skipped' as const,
      round: recipient.round + 1,
    }));
    return { ...ledger, round: ledger.round + 1, recipients: [...ledger.recipients, ...again] };
  });
  const recipients = (rows: TrinoRow[]) =>
    rows.map((row) => `${asText(row['day'])} ${asText(row['recipient'])}`);
  // Every mail is sent again to nobody. Those that were not delivered are listed as before.
  expect(recipients(after)).toEqual(recipients(before));
  expect(new Set(after.map((row) => row['status']))).toEqual(new Set(['skipped']));
});

it('the query mail-not-delivered gives a sealed day without a ledger', async () => {
  const without = await askWithLedgers((ledger, key) =>
    key.startsWith(`mail/day=${DAY}/`) ? undefined : ledger,
  );
  const rows = without.filter((row) => row['day'] === DAY);
  expect(rows.map((row) => [row['merchant_code'], row['revision'], row['status']])).toEqual([
    [CODE, '3', 'no ledger'],
    [SECOND, '1', 'no ledger'],
    [THIRD, '1', 'no ledger'],
  ]);
});

describe('a merchant whose currency changed between two days', () => {
  let key: string;
  let body: Buffer;
  beforeAll(async () => {
    const { s3 } = made.world.aws;
    key = manifestKey(DAY, CODE, 3);
    body = defined(await s3.read(BUCKET, key));
    const manifest = await made.world.manifest(3);
    await s3.write(BUCKET, key, JSON.stringify({ ...manifest, currency: 'SAR' }));
  });
  afterAll(() => made.world.aws.s3.write(BUCKET, key, body));

  it.each(['counts-per-day', 'refunds-on-both-bases', 'unpaid-by-age', 'history-of-a-merchant'])(
    'has two sums in the query %s',
    async (name) => {
      const own = (await ask(name)).filter(({ merchant_code: merchant = CODE }) => merchant === CODE);
      expect(new Set(own.map((row) => row['currency']))).toEqual(new Set(['KWD', 'SAR']));
    },
  );
});

it.runIf(HAS_DUCKDB)('they have the same answers in DuckDB', async () => {
  const names = [
    'unbalanced-days',
    'refunds-on-both-bases',
    'late-changes',
    'late-changes-by-record',
    'perhaps-paid-twice',
    'mail-not-delivered',
  ];
  const texts = names.map((name) => [name, sqlOf(name)] as const);
  const asked = await askDuckdb(made.world.folder, TODAY, Object.fromEntries(texts));
  await askAboutMail();
  for (const name of names) {
    const rows = await ask(name);
    expect(rows.length, name).toBeGreaterThan(0);
    expect(asked[name]?.map(spelled), name).toEqual(rows.map(spelled));
  }
});

it('the query statements-against-days gives a statement of the last month that is not the sum of its days', async () => {
  expect(await ask('statements-against-days')).toEqual([]);
  const owner = { merchantCode: CODE };
  const key = pageKey({ owner, period: '2026-10', revision: 1 });
  const subject = { ...owner, period: '2026-10', from: '2026-10-01', to: '2026-10-31', currency: 'KWD' };
  const nothing = composeStatement({ ...subject, charges: [], followed: [] }, []);
  const statement = { ...nothing, revision: 1, sealedAt: `${TODAY}T06:00:00.000Z`, previous: null };
  const { s3 } = made.world.aws;
  try {
    await s3.write(BUCKET, key, JSON.stringify(statement));
    expect(await ask('statements-against-days')).toEqual([]);
    await s3.write(BUCKET, key, JSON.stringify({ ...statement, counts: { ...nothing.counts, paid: 1 } }));
    // test/lake/statements.test.ts has statements with days.
    const figure = { figure: 'paid', in_statement: '1.000', of_days: '0.000' };
    const rows = [{ period: '2026-10', merchant_code: CODE, revision: '1', ...figure }];
    expect(await ask('statements-against-days')).toEqual(rows);
    if (HAS_DUCKDB) {
      const texts = { stated: sqlOf('statements-against-days') };
      expect(await askDuckdb(made.world.folder, TODAY, texts)).toEqual({ stated: rows });
    }
  } finally {
    await s3.remove(BUCKET, key);
  }
});

it('every named query is tested here, or in the questions', () => {
  const questions = readFileSync(join(import.meta.dirname, '../support/lake/questions.ts'), 'utf8');
  for (const { name } of NAMED_QUERIES) {
    expect(answered.has(name) || questions.includes(`it('${name}`), name).toBe(true);
  }
});
