import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { addDays } from '#sandbox/payments/day/calendar.ts';
import { sandboxMerchant, startPaymentsSandbox, type PaymentsSandbox } from '#sandbox/payments/index.ts';
import { signIn } from '#support/payments/running-service.ts';
import { defined, recordsAt } from '#support/assertions/index.ts';
import { newDirectory } from '#support/machine.ts';

const DAY = '2026-11-20';
const range = { fromDate: DAY, toDate: DAY };
const merchant = sandboxMerchant(0);
const code = merchant.merchantCode;

let sandbox: PaymentsSandbox;
beforeEach(async () => {
  sandbox = await startPaymentsSandbox({ merchants: [merchant, sandboxMerchant(1)], perPage: 1000 });
});
afterEach(() => sandbox.close());

/** The records of the day, as they are served. */
async function served() {
  const client = await signIn(sandbox, merchant);
  const [first, second] = [await client.invoices(range), await client.refunds(range)];
  return {
    invoices: recordsAt(first.body, 'response', 'invoices', 'data'),
    refunds: recordsAt(second.body, 'response', 'refund_request_list', 'data'),
  };
}

it('a record is inserted as the newest, moves to another day with its date, and can be deleted', async () => {
  const { data } = sandbox;
  data.seedDay(code, DAY, { invoices: 3, refunds: 0 });
  const paid = { amount: '7.000', invoice_status: 1, invoice_type: 7 };
  const invoice = data.insertInvoice(code, DAY, paid);
  expect((await served()).invoices[0]).toMatchObject({ id: invoice, ...paid });
  data.updateInvoice(code, invoice, { created_at: '2026-11-19 10:00:00' });
  expect(data.truth(code, '2026-11-19').invoices.ids).toEqual([invoice]);
  const refund = data.insertRefund(code, '2026-11-22', { status: 1 });
  data.updateRefund(code, refund, { refund_at: DAY });
  expect((await served()).refunds).toMatchObject([{ id: refund, status: 1, refund_at: DAY }]);
  data.deleteInvoice(code, invoice);
  data.deleteRefund(code, refund);
  expect(data.truth(code, '2026-11-19').invoices.ids).toEqual([]);
  expect((await served()).refunds).toEqual([]);
  expect(() => data.deleteInvoice(code, invoice)).toThrow(`merchant 700001 has no invoice ${invoice}`);
  expect(() => data.updateRefund(code, refund, {})).toThrow(`merchant 700001 has no refund ${refund}`);
});

it('the truth of the sandbox adds up exactly, by status and by day of sale', () => {
  sandbox.data.insertInvoice(code, DAY, { amount: '90071992547409.993', invoice_status: 1 });
  sandbox.data.insertInvoice(code, DAY, { amount: '0.001', invoice_status: 1 });
  sandbox.data.insertInvoice(code, DAY, { amount: '-1.500', invoice_status: 9 });
  sandbox.data.insertInvoice(code, DAY, { amount: 'free' });
  const early = { amount: '2.000', status: 1, transaction_date: '2026-11-18 23:59:59' };
  const first = sandbox.data.insertRefund(code, DAY, early);
  const second = sandbox.data.insertRefund(code, '2026-11-19', { ...early, amount: '3.000', status: 2 });
  const { invoices: day, refunds: refunded } = sandbox.data.truth(code, DAY);
  expect(day).toMatchObject({ count: 4, total: '90071992547408.494' });
  expect(day.byStatus).toEqual({
    '0': { count: 1, total: '0.000' },
    '1': { count: 2, total: '90071992547409.994' },
    '9': { count: 1, total: '-1.500' },
  });
  const one = { count: 1, total: '2.000' };
  expect(refunded).toEqual({ ...one, ids: [first], byStatus: { '1': one } });
  const ofSales = sandbox.data.truth(code, '2026-11-18').refundsOfSales;
  expect(ofSales).toMatchObject({ count: 2, total: '5.000', ids: [second, first] });
});

describe('evolve', () => {
  it('pays invoices, approves refunds and counts visits, names the changed records, and nothing happens after a time', async () => {
    sandbox.data.seedDay(code, DAY, { invoices: 200, refunds: 60 });
    const before = await served();
    const until = '2026-11-21 06:00:00';
    const { paid, visited, approved } = sandbox.data.evolve(code, DAY, 1, until);
    const after = await served();
    for (const ids of [paid, visited, approved]) expect(ids).not.toEqual([]);

    const changed = (name: 'invoices' | 'refunds') =>
      after[name].filter((row, place) => JSON.stringify(row) !== JSON.stringify(before[name][place]));
    const newestFirst = [...paid, ...visited].sort((left, right) => right - left);
    expect(changed('invoices').map(({ id }) => id)).toEqual(newestFirst);
    expect(changed('refunds').map(({ id }) => id)).toEqual(approved);
    const settled = changed('invoices').filter(({ id }) => paid.includes(Number(id)));
    for (const row of settled) {
      const transaction = { Amount: row['amount'], result_code: 'CAPTURED' };
      expect(row).toMatchObject({ invoice_status: 1, transaction });
    }
    for (const row of changed('refunds')) expect(row).toMatchObject({ status: 1, approved_by: 'Admin' });
    const times = [...settled, ...changed('refunds')].map((row) => String(row['updated_at']));
    expect(times.length).toBeGreaterThan(10);
    expect(times.every((time) => time >= '2026-11-21 00:00:00' && time <= until)).toBe(true);
  });

  it('gives the same for the same seed, and continues where it stopped', async () => {
    const twin = await startPaymentsSandbox({ merchants: [merchant] });
    for (const { data } of [sandbox, twin]) data.seedDay(code, DAY, { invoices: 100, refunds: 30 });
    expect(twin.data.evolve(code, DAY, 5)).toEqual(sandbox.data.evolve(code, DAY, 5));
    expect(twin.data.truth(code, DAY)).toEqual(sandbox.data.truth(code, DAY));
    expect(twin.data.evolve(code, DAY, 6).paid.length).toBeGreaterThan(0);
    await twin.close();
  });
});

it('the database of the sandbox can be a file, which outlives the sandbox', async () => {
  const database = join(newDirectory(), 'payments.sqlite');
  const first = await startPaymentsSandbox({ merchants: [merchant], database });
  first.data.seedDay(code, DAY, { invoices: 5, refunds: 2 });
  const truth = first.data.truth(code, DAY);
  await first.close();
  const second = await startPaymentsSandbox({ merchants: [merchant], database });
  expect(second.data.truth(code, DAY)).toEqual(truth);
  await second.close();
});

/** The digest of 300 invoices and 40 refunds. It changes only when the seed is meant to make other data. */
const DIGEST = '11cc4990fc8e3b4deb3dcb308e2b76e1334acf41ef9c4608f0b2045ad235cf42';

describe('a seeded day', () => {
  it('is the same in every run and on every machine, whatever was seeded before', async () => {
    sandbox.data.seedDay('700002', DAY, { invoices: 10, refunds: 3 });
    sandbox.data.seedDay(code, addDays(DAY, 1), { invoices: 10, refunds: 3 });
    sandbox.data.seedDay(code, DAY, { invoices: 300, refunds: 40, seed: 1 });
    const { invoices, refunds } = await served();
    const digest = createHash('sha256')
      .update(JSON.stringify([invoices, refunds]))
      .digest('hex');
    expect(digest).toBe(DIGEST);
  });

  it('differs by seed, day and merchant', () => {
    const size = { invoices: 50, refunds: 20 };
    const places = [
      [code, '2026-11-10', size],
      [code, '2026-11-11', size],
      [code, '2026-11-12', { ...size, seed: 2 }],
      ['700002', '2026-11-10', size],
    ] as const;
    for (const [of, day, made] of places) sandbox.data.seedDay(of, day, made);
    const truths = places.map(([of, day]) => sandbox.data.truth(of, day));
    expect(new Set(truths.map(({ invoices }) => invoices.total)).size).toBe(4);
    expect(new Set(truths.map(({ refunds }) => refunds.total)).size).toBe(4);
    expect(new Set(truths.flatMap(({ invoices }) => invoices.ids)).size).toBe(200);
  });

  it.each([
    ['999999', DAY, 1, 'the sandbox has no merchant 999999'],
    [code, '2026-02-29', 1, 'not a day: "2026-02-29"'],
    [code, DAY, -1, 'whole numbers'],
    [code, DAY, 1.5, 'whole numbers'],
  ])('refuses merchant %s, day %s, %s invoices', (merchantCode, day, invoices, message) => {
    expect(() => sandbox.data.seedDay(merchantCode, day, { invoices, refunds: 0 })).toThrow(message);
  });
});

it('sandboxMerchant always gives the same merchants, and no two merchants share a value', () => {
  const merchants = Array.from({ length: 30 }, (_, index) => sandboxMerchant(index));
  expect(merchants).toEqual(Array.from({ length: 30 }, (_, index) => sandboxMerchant(index)));
  expect(merchants[0]).toMatchObject({
    merchantCode: '700001',
    cipher: { key: 'X9ZAv0RWJJyXCLcg4ctudDjPcg6AHda4' },
  });
  expect(defined(merchants[29]).merchantCode).toBe('700030');
  for (const member of ['merchantCode', 'accessCode', 'username', 'password', 'merchantId'] as const) {
    expect(new Set(merchants.map((each) => each[member])).size).toBe(30);
  }
  for (const [index, each] of merchants.entries()) {
    expect(/[\u0600-\u06ff]/.test(each.name)).toBe(index % 3 === 2);
    expect(each.cipher.key).toMatch(/^[A-Za-z0-9]{32}$/);
    expect(each.cipher.iv).toMatch(/^[A-Za-z0-9]{16}$/);
    expect(String(each.merchantId)).not.toBe(each.merchantCode);
  }
});
