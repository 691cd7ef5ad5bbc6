import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { sandboxMerchant, startPaymentsSandbox } from '#sandbox/payments/index.ts';
import { defaultBehaviour } from '#sandbox/payments/http/behaviour.ts';
import { signIn, unseal, type Query } from '#support/payments/signed-in-client.ts';
import { recordOf } from '#support/assertions/record-of.ts';
import { defined } from '#support/assertions/defined.ts';
import * as z from 'zod';
import { recordsAt } from '#support/assertions/records-at.ts';

const DAY = '2026-11-20';
const BEFORE = '2026-11-19';
const merchant = sandboxMerchant(2);
const code = merchant.merchantCode;
const range = { fromDate: DAY, toDate: DAY };

const INVOICE_MEMBERS =
  `id invoice_type invoice_sub_type order_drop_id token access_key split_access_key merchant_id
  reference_number amount admin_charge service_charge subscription discount description sms_response invoice_status
  payment_method sms_status url_status visited_count country_id created_id language expires_at url spliturl created_at
  updated_at rentperiod transaction customer created_by_merchant products`.split(/\s+/);
const TRANSACTION_MEMBERS =
  `payment_type_id payment_id post_date result_code track_id transaction_id reference_number
  payment_type paid_on Auth Amount admin_charge`.split(/\s+/);

const members = z.record(z.string(), z.unknown());
const invoiceSchema = z.looseObject({
  id: z.number(),
  invoice_type: z.number(),
  invoice_status: z.number(),
  amount: z.string(),
  created_at: z.string(),
  description: z.string(),
  transaction: members,
});
type Invoice = z.infer<typeof invoiceSchema>;
const paginationSchema = z.strictObject({
  total: z.number(),
  count: z.number(),
  per_page: z.number(),
  current_page: z.number(),
  total_pages: z.number(),
  page_url: z.string(),
  next_page_url: z.string().nullable(),
  previous_page_url: z.string().nullable(),
});
const answerSchema = z.object({
  response: z.object({
    stats: members,
    order_stats: members,
    invoices: z.object({ data: z.array(invoiceSchema), pagination: paginationSchema }),
  }),
});
type Page = z.infer<typeof answerSchema>['response'];
const sealedSchema = z.object({ response: z.string() });

const sandbox = await startPaymentsSandbox({ merchants: [merchant, sandboxMerchant(0)] });
sandbox.data.seedDay(code, DAY, { invoices: 101, refunds: 0 });
sandbox.data.seedDay(code, BEFORE, { invoices: 7, refunds: 0 });
sandbox.data.seedDay('700001', DAY, { invoices: 5, refunds: 0 });
const client = await signIn(sandbox, merchant);
afterAll(() => sandbox.close());
beforeEach(() => {
  const { faults: _faults, ...switches } = defaultBehaviour();
  Object.assign(sandbox.behaviour, switches);
});

async function page(query: Query): Promise<Page> {
  const { body } = await client.invoices(query);
  return answerSchema.parse(body).response;
}

async function everyInvoice(query: Query): Promise<Invoice[]> {
  const invoices: Invoice[] = [];
  for (let number = 1; number <= 50; number++) {
    const { data, pagination } = (await page({ ...query, page: number })).invoices;
    invoices.push(...data);
    if (pagination.next_page_url === null) return invoices;
  }
  throw new Error('no last page');
}

function statsOf(total: number, ...[paid, notPaid, cancelled]: (string | null)[]) {
  const states = { invoice_paid: paid, invoice_not_paid: notPaid, invoice_cancelled: cancelled };
  return { total_invoice_count: total, ...states };
}

describe('the invoice list', () => {
  it("has the contract's envelope, members and order of members", async () => {
    const { body, encrypted, status } = await client.invoices({ ...range, page: 1, invoiceType: '1' });
    expect({ status, encrypted }).toEqual({ status: 200, encrypted: false });
    expect(Object.keys(recordOf(body))).toEqual(['status', 'message', 'response']);
    expect(body).toMatchObject({ status: true, message: 'Invoice Dashboard' });
    const { response } = recordOf(body);
    expect(Object.keys(recordOf(response))).toEqual(['stats', 'order_stats', 'invoices']);
    const first = defined(recordsAt(response, 'invoices', 'data')[0]);
    expect(Object.keys(first)).toEqual(INVOICE_MEMBERS);
    expect(Object.keys(recordOf(first['transaction']))).toEqual(TRANSACTION_MEMBERS);
  });

  it("gives each page what the contract's pagination says, newest first", async () => {
    const url = `${sandbox.origin}/api/v1/invoice-dashboard`;
    const pagination = { total: 101, per_page: 15, total_pages: 7, page_url: url };
    expect((await page(range)).invoices.pagination).toEqual({
      ...{ ...pagination, count: 15, current_page: 1 },
      ...{ next_page_url: `${url}?page=2`, previous_page_url: null },
    });
    expect((await page({ ...range, page: 7 })).invoices.pagination).toEqual({
      ...{ ...pagination, count: 11, current_page: 7 },
      ...{ next_page_url: null, previous_page_url: `${url}?page=6` },
    });
    const ids = (await everyInvoice(range)).map(({ id }) => id);
    expect(ids).toEqual([...ids].sort((left, right) => right - left));
    expect(new Set(ids).size).toBe(101);
  });

  it('gives no records after the last page, or when there are none', async () => {
    const after = (await page({ ...range, page: 8 })).invoices;
    expect(after).toMatchObject({ data: [], pagination: { total: 101, count: 0 } });
    const empty = await page({ fromDate: '2026-01-01', toDate: '2026-01-31' });
    const pagination = { total: 0, total_pages: 1, next_page_url: null };
    expect(empty.invoices).toMatchObject({ data: [], pagination });
    expect(empty.stats).toEqual(statsOf(0, '0', '0', '0'));
  });

  it('agrees with the truth for each type and for all types', async () => {
    const { invoices } = sandbox.data.truth(code, DAY);
    for (const invoiceType of ['0', '1', '6', '7']) {
      const rows = await everyInvoice({ ...range, invoiceType });
      expect(rows.length).toBe(invoices.byType[invoiceType]?.count);
      expect(rows.every((row) => String(row.invoice_type) === invoiceType)).toBe(true);
      const { stats } = await page({ ...range, invoiceType });
      const count = (status: number): string =>
        String(rows.filter((row) => row.invoice_status === status).length);
      expect(stats).toEqual(statsOf(rows.length, count(1), count(0), count(3)));
    }
    const all = await everyInvoice(range);
    expect(all.map(({ id }) => id).reverse()).toEqual(invoices.ids);
    for (const [status, { count, total }] of Object.entries(invoices.byStatus)) {
      const rows = all.filter((row) => String(row.invoice_status) === status);
      const sum = rows.reduce((thousandths, { amount }) => thousandths + BigInt(amount.replace('.', '')), 0n);
      expect(rows.length).toBe(count);
      expect(sum).toBe(BigInt(total.replace('.', '')));
    }
  });

  it('filters by date, both ends included, and by merchant', async () => {
    expect((await page({ fromDate: BEFORE, toDate: DAY })).invoices.pagination.total).toBe(108);
    expect((await page({ toDate: BEFORE })).invoices.pagination.total).toBe(7);
    expect((await page({ fromDate: '2026-11-21' })).invoices.pagination.total).toBe(0);
    const both = (await everyInvoice({ fromDate: BEFORE, toDate: DAY })).map(({ id }) => id);
    expect(both).toEqual([...both].sort((left, right) => right - left));
    const days = new Set((await everyInvoice(range)).map(({ created_at }) => created_at.slice(0, 10)));
    expect([...days]).toEqual([DAY]);
  });
});

describe('the behaviour of the invoice list', () => {
  it('can encrypt answers with invoiceAnswers, in blocks of padBlock', async () => {
    const plain = await client.invoices(range);
    sandbox.behaviour.invoiceAnswers = 'encrypted';
    const sealed = await client.invoices(range);
    expect(sealed).toMatchObject({ encrypted: true, text: plain.text });

    const paddings = { 16: new Set<number>(), 32: new Set<number>() };
    for (const padBlock of [16, 32] as const) {
      sandbox.behaviour.padBlock = padBlock;
      for (let number = 1; number <= 7; number++) {
        const response = await client.fetch('/api/v1/invoice-dashboard', { ...range, page: number });
        const { response: hex } = sealedSchema.parse(await response.json());
        const { text, padding } = unseal(hex, merchant.cipher);
        expect((Buffer.byteLength(text) + padding) % padBlock).toBe(0);
        paddings[padBlock].add(padding);
      }
    }
    expect(Math.max(...paddings[16])).toBeLessThanOrEqual(16);
    expect(Math.max(...paddings[32])).toBeGreaterThan(16);
  });

  it('can write counts as texts, as numbers or as null', async () => {
    const strings = (await page(range)).stats;
    expect(strings['invoice_paid']).toMatch(/^[1-9]\d*$/);
    sandbox.behaviour.counts = 'numbers';
    const numbers = (await page(range)).stats;
    expect(numbers['invoice_paid']).toBe(Number(strings['invoice_paid']));
    sandbox.behaviour.counts = 'null';
    expect((await page(range)).stats).toEqual(statsOf(101, null, null, null));
  });
});
