import { addDays } from '#sandbox/payments/day/calendar.ts';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sandboxMerchant, startPaymentsSandbox, type PaymentsSandbox } from '#sandbox/payments/index.ts';
import { signIn, type SignedInClient } from '#support/payments/signed-in-client.ts';
import { defined } from '#support/assertions/defined.ts';
import { recordsAt } from '#support/assertions/records-at.ts';
import { newDirectory } from '#support/new-directory.ts';

const DAY = '2026-11-20';
const merchant = sandboxMerchant(0);
const code = merchant.merchantCode;
const range = { fromDate: DAY, toDate: DAY };

let sandbox: PaymentsSandbox;
let client: SignedInClient;
beforeEach(async () => {
  sandbox = await startPaymentsSandbox({ merchants: [merchant], perPage: 1000 });
  client = await signIn(sandbox, merchant);
});
afterEach(() => sandbox.close());

type Row = Record<string, unknown>;

async function invoices(): Promise<Row[]> {
  const { body } = await client.invoices(range);
  return recordsAt(body, 'response', 'invoices', 'data');
}

async function refunds(day = DAY): Promise<Row[]> {
  const { body } = await client.refunds({ fromDate: day, toDate: day });
  return recordsAt(body, 'response', 'refund_request_list', 'data');
}

describe('one record of the sandbox', () => {
  it('is inserted as the newest, with the members that the test gives', async () => {
    sandbox.data.seedDay(code, DAY, { invoices: 3, refunds: 0 });
    const id = sandbox.data.insertInvoice(code, DAY, { amount: '7.000', invoice_status: 1, invoice_type: 7 });
    const [newest] = await invoices();
    expect(newest).toMatchObject({ id, amount: '7.000', invoice_status: 1, invoice_type: 7 });
    expect(defined(newest)['transaction']).not.toMatchObject({ payment_id: null });
    expect(sandbox.data.truth(code, DAY).invoices.byType['7']).toEqual({ count: 1, total: '7.000' });
  });

  it('moves to another day with its date', async () => {
    const id = sandbox.data.insertRefund(code, DAY, { status: 1 });
    sandbox.data.updateRefund(code, id, { refund_at: '2026-11-22' });
    expect(await refunds()).toEqual([]);
    expect(await refunds('2026-11-22')).toMatchObject([{ id, status: 1, refund_at: '2026-11-22' }]);
    const invoice = sandbox.data.insertInvoice(code, DAY);
    sandbox.data.updateInvoice(code, invoice, { created_at: '2026-11-19 10:00:00' });
    expect(sandbox.data.truth(code, '2026-11-19').invoices.ids).toEqual([invoice]);
  });

  it('can be deleted', async () => {
    const [invoice, refund] = [sandbox.data.insertInvoice(code, DAY), sandbox.data.insertRefund(code, DAY)];
    sandbox.data.deleteInvoice(code, invoice);
    sandbox.data.deleteRefund(code, refund);
    expect([await invoices(), await refunds()]).toEqual([[], []]);
    expect(() => sandbox.data.deleteInvoice(code, invoice)).toThrow(
      `merchant 700001 has no invoice ${invoice}`,
    );
    expect(() => sandbox.data.updateRefund(code, refund, {})).toThrow(
      `merchant 700001 has no refund ${refund}`,
    );
  });
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
  expect(refunded).toEqual({
    count: 1,
    total: '2.000',
    ids: [first],
    byStatus: { '1': { count: 1, total: '2.000' } },
  });
  expect(sandbox.data.truth(code, '2026-11-18').refundsOfSales).toMatchObject({
    count: 2,
    total: '5.000',
    ids: [second, first],
  });
});

describe('evolve', () => {
  it('pays invoices, approves refunds and counts visits, and names the changed records', async () => {
    sandbox.data.seedDay(code, DAY, { invoices: 200, refunds: 60 });
    const [before, refundsBefore, truth] = [await invoices(), await refunds(), sandbox.data.truth(code, DAY)];
    const evolution = sandbox.data.evolve(code, DAY);
    const [after, refundsAfter, later] = [await invoices(), await refunds(), sandbox.data.truth(code, DAY)];

    for (const of of Object.values(evolution)) expect(of).not.toEqual([]);
    const changed = after.filter((row, place) => JSON.stringify(row) !== JSON.stringify(before[place]));
    const ids = [...evolution.paid, ...evolution.visited].sort((left, right) => right - left);
    expect(changed.map((row) => row['id'])).toEqual(ids);
    for (const row of after.filter(({ id }) => evolution.paid.includes(Number(id)))) {
      expect(row).toMatchObject({
        invoice_status: 1,
        transaction: { Amount: row['amount'], result_code: 'CAPTURED' },
      });
      expect(String(row['updated_at']).slice(0, 10) > DAY).toBe(true);
    }
    const approved = refundsAfter.filter(
      (row, place) => JSON.stringify(row) !== JSON.stringify(refundsBefore[place]),
    );
    expect(approved.map((row) => row['id'])).toEqual(evolution.approved);
    expect(approved.every((row) => row['status'] === 1 && row['approved_by'] === 'Admin')).toBe(true);

    expect(defined(later.invoices.byStatus['1']).count).toBe(
      defined(truth.invoices.byStatus['1']).count + evolution.paid.length,
    );
    expect(later.invoices.total).toBe(truth.invoices.total);
    expect(defined(later.refunds.byStatus['1']).count).toBe(
      defined(truth.refunds.byStatus['1']).count + approved.length,
    );
  });

  it('lets nothing happen after a time', async () => {
    const next = addDays(DAY, 1);
    sandbox.data.seedDay(code, DAY, { invoices: 200, refunds: 60 });
    const until = `${next} 06:00:00`;
    const { paid, approved } = sandbox.data.evolve(code, DAY, 1, until);
    const times = [
      ...(await invoices()).filter(({ id }) => paid.includes(Number(id))),
      ...(await refunds()).filter(({ id }) => approved.includes(Number(id))),
    ].map((row) => String(row['updated_at']));
    expect(times.length).toBeGreaterThan(10);
    for (const time of times) expect(time >= `${next} 00:00:00` && time <= until).toBe(true);
  });

  it('gives the same for the same seed, and continues where it stopped', async () => {
    const twin = await startPaymentsSandbox({ merchants: [merchant] });
    for (const { data } of [sandbox, twin]) data.seedDay(code, DAY, { invoices: 100, refunds: 30 });
    expect(twin.data.evolve(code, DAY, 5)).toEqual(sandbox.data.evolve(code, DAY, 5));
    expect(twin.data.truth(code, DAY)).toEqual(sandbox.data.truth(code, DAY));
    const again = twin.data.evolve(code, DAY, 6);
    expect(again.paid.length).toBeGreaterThan(0);
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
