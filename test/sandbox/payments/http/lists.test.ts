import { sandboxMerchant, startPaymentsSandbox } from '#sandbox/payments/index.ts';
import { defaultBehaviour } from '#sandbox/payments/http/behaviour.ts';
import { invoiceRecord, refundRecord } from '#support/records/records.ts';
import { signIn, unseal } from '#support/payments/running-service.ts';
import { membersOf, recordsAt } from '#support/assertions/index.ts';

const DAY = '2026-11-20';
const BEFORE = '2026-11-19';
const merchant = sandboxMerchant(2);
const code = merchant.merchantCode;
const range = { fromDate: DAY, toDate: DAY };

const sandbox = await startPaymentsSandbox({ merchants: [merchant, sandboxMerchant(0)], perPage: 10 });
sandbox.data.seedDay(code, DAY, { invoices: 101, refunds: 23 });
sandbox.data.seedDay(code, BEFORE, { invoices: 7, refunds: 4 });
sandbox.data.seedDay('700001', DAY, { invoices: 5, refunds: 0 });
const client = await signIn(sandbox, merchant);
const truth = sandbox.data.truth(code, DAY);
afterAll(() => sandbox.close());
beforeEach(() => {
  const { faults: _faults, ...switches } = defaultBehaviour();
  Object.assign(sandbox.behaviour, switches);
});

/** Both lists are paged in one way. */
const LISTS = {
  invoices: { path: '/api/v1/invoice-dashboard', at: 'invoices', ask: client.invoices, all: 101, pages: 11 },
  refunds: { path: '/api/v1/refund/', at: 'refund_request_list', ask: client.refunds, all: 23, pages: 3 },
} as const;
type Name = keyof typeof LISTS;

/** The response of a list to a query, and its records. */
async function list(name: Name, query: Record<string, string | number>) {
  const { at, ask } = LISTS[name];
  const { body } = await ask(query);
  const response = membersOf(membersOf(body)['response']);
  const { data: _data, ...around } = membersOf(response[at]);
  return { response, pagination: around['pagination'], rows: recordsAt(response, at, 'data') };
}

async function everyRow(name: Name, query: Record<string, string | number>) {
  const numbers = Array.from({ length: LISTS[name].pages }, (_, index) => index + 1);
  const pages = await Promise.all(numbers.map((page) => list(name, { ...query, page })));
  return pages.flatMap(({ rows }) => rows);
}

const namesOf = (value: unknown) => Object.keys(membersOf(value));

describe.each(['invoices', 'refunds'] as const)('the list of %s', (name) => {
  const { path, all, pages } = LISTS[name];

  it("gives each page what the contract's pagination says, newest first, and nothing after the last", async () => {
    const url = `${sandbox.origin}${path}`;
    const same = { total: all, per_page: 10, total_pages: pages, page_url: url };
    expect((await list(name, range)).pagination).toEqual({
      ...{ ...same, count: 10, current_page: 1 },
      ...{ next_page_url: `${url}?page=2`, previous_page_url: null },
    });
    expect((await list(name, { ...range, page: pages })).pagination).toEqual({
      ...{ ...same, count: all % 10, current_page: pages },
      ...{ next_page_url: null, previous_page_url: `${url}?page=${pages - 1}` },
    });
    expect((await everyRow(name, range)).map(({ id }) => id)).toEqual(truth[name].ids.toReversed());
    expect(await list(name, { ...range, page: pages + 1 })).toMatchObject({
      rows: [],
      pagination: { count: 0 },
    });
  });

  it('filters by date, both ends included, and by merchant', async () => {
    const totalOf = async (query: Record<string, string>) => (await list(name, query)).pagination;
    const { ids } = sandbox.data.truth(code, BEFORE)[name];
    expect(await totalOf({ fromDate: BEFORE, toDate: DAY })).toMatchObject({ total: all + ids.length });
    expect(await totalOf({ toDate: BEFORE })).toMatchObject({ total: ids.length });
    expect(await totalOf({ fromDate: '2026-11-21' })).toMatchObject({ total: 0, total_pages: 1 });
  });
});

it("an invoice has the contract's members in its order, in a plain envelope", async () => {
  const { body, encrypted, status } = await client.invoices({ ...range, page: 1, invoiceType: '1' });
  expect({ status, encrypted }).toEqual({ status: 200, encrypted: false });
  expect(namesOf(body)).toEqual(['status', 'message', 'response']);
  expect(body).toMatchObject({ status: true, message: 'Invoice Dashboard' });
  const { response } = membersOf(body);
  expect(namesOf(response)).toEqual(['stats', 'order_stats', 'invoices']);
  const [first] = recordsAt(response, 'invoices', 'data');
  expect(namesOf(first)).toEqual(Object.keys(invoiceRecord()));
  expect(namesOf(first?.['transaction'])).toEqual(namesOf(invoiceRecord()['transaction']));
});

it("a refund has the contract's members in its order, in an encrypted envelope", async () => {
  const id = truth.refunds.ids[0] ?? 0;
  const { body, ...answer } = await client.refund(id);
  expect(answer).toMatchObject({ status: 200, encrypted: true });
  expect(body).toMatchObject({ status: true, message: 'Refund requests' });
  const refund = membersOf(membersOf(body)['response']);
  expect(refund).toMatchObject({ id, merchant_id: merchant.merchantId });
  expect(namesOf(refund)).toEqual(Object.keys(refundRecord()));
  expect(namesOf(refund['transaction'])).toEqual(namesOf(refundRecord()['transaction']));
});

describe('the stats', () => {
  const counts = (total: number, ...[paid, notPaid, cancelled]: unknown[]) => ({
    ...{ total_invoice_count: total, invoice_paid: paid },
    ...{ invoice_not_paid: notPaid, invoice_cancelled: cancelled },
  });

  it('of invoices are of the requested type, as texts, as numbers or as null', async () => {
    for (const invoiceType of ['0', '1', '6', '7']) {
      const rows = await everyRow('invoices', { ...range, invoiceType });
      expect(rows.length).toBe(truth.invoices.byType[invoiceType]?.count);
      const count = (status: number) => rows.filter((row) => row['invoice_status'] === status).length;
      const stats = async () => (await list('invoices', { ...range, invoiceType })).response['stats'];
      sandbox.behaviour.counts = 'strings';
      expect(await stats()).toEqual(counts(rows.length, `${count(1)}`, `${count(0)}`, `${count(3)}`));
      sandbox.behaviour.counts = 'numbers';
      expect(await stats()).toEqual(counts(rows.length, count(1), count(0), count(3)));
      sandbox.behaviour.counts = 'null';
      expect(await stats()).toEqual(counts(rows.length, null, null, null));
    }
  });

  it('of refunds are the sums by status, on every page', async () => {
    const total = (status: string): string => truth.refunds.byStatus[status]?.total ?? '0.000';
    for (const page of [1, 2, 3]) {
      expect((await list('refunds', { ...range, page })).response['stats']).toEqual({
        total_refund_request_count: 23,
        total_refund_request_amount: truth.refunds.total,
        pending_total_refund_request_amount: total('0'),
        approved_total_refund_request_amount: total('1'),
        rejected_total_refund_request_amount: total('2'),
      });
    }
  });
});

it('answers can be encrypted with invoiceAnswers, in blocks of padBlock', async () => {
  const plain = await client.invoices(range);
  sandbox.behaviour.invoiceAnswers = 'encrypted';
  expect(await client.invoices(range)).toMatchObject({ encrypted: true, text: plain.text });
  const paddings = { 16: new Set<number>(), 32: new Set<number>() };
  for (const padBlock of [16, 32] as const) {
    sandbox.behaviour.padBlock = padBlock;
    for (let page = 1; page <= 11; page++) {
      const answer = await client.fetch('/api/v1/invoice-dashboard', { ...range, page });
      const { text, padding } = unseal(String(membersOf(await answer.json())['response']), merchant.cipher);
      expect((Buffer.byteLength(text) + padding) % padBlock).toBe(0);
      paddings[padBlock].add(padding);
    }
  }
  expect(Math.max(...paddings[16])).toBeLessThanOrEqual(16);
  expect(Math.max(...paddings[32])).toBeGreaterThan(16);
});
