import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { sandboxMerchant, startPaymentsSandbox } from '#sandbox/payments/index.ts';
import { defaultBehaviour } from '#sandbox/payments/http/behaviour.ts';
import { signIn, type Query } from '#support/payments/signed-in-client.ts';
import { defined } from '#support/assertions/defined.ts';
import { recordOf } from '#support/assertions/record-of.ts';
import * as z from 'zod';

const DAY = '2026-11-20';
const merchant = sandboxMerchant(0);
const code = merchant.merchantCode;
const range = { fromDate: DAY, toDate: DAY };

const REFUND_MEMBERS =
  `id merchant_id amount refund_at document_number token transaction_date order_reference_number
  recover_method status refund_method remarks approved_by total_balance_amount total_refunded_amount
  total_transaction_amount created_at updated_at transaction`.split(/\s+/);
const TRANSACTION_MEMBERS =
  `id amount admin_charge token payment_id payment_name display_name track_id transaction_id
  service_id auth status created_at`.split(/\s+/);

const members = z.record(z.string(), z.unknown());
const answerSchema = z.object({
  response: z.object({
    stats: members,
    refund_request_list: z.object({
      data: z.array(
        z.looseObject({ id: z.number(), amount: z.string(), refund_at: z.string(), status: z.number() }),
      ),
      pagination: members.optional(),
    }),
  }),
});
type List = z.infer<typeof answerSchema>['response'];

const sandbox = await startPaymentsSandbox({ merchants: [merchant], perPage: 10 });
sandbox.data.seedDay(code, DAY, { invoices: 0, refunds: 23 });
sandbox.data.seedDay(code, '2026-11-21', { invoices: 0, refunds: 4 });
const client = await signIn(sandbox, merchant);
afterAll(() => sandbox.close());
beforeEach(() => {
  const { faults: _faults, ...switches } = defaultBehaviour();
  Object.assign(sandbox.behaviour, switches);
});

async function list(query: Query): Promise<List> {
  const { body } = await client.refunds(query);
  return answerSchema.parse(body).response;
}

const idsOf = ({ refund_request_list }: List): number[] => refund_request_list.data.map(({ id }) => id);

it('refund details are encrypted, with every member of the contract in its order', async () => {
  const [id] = sandbox.data.truth(code, DAY).refunds.ids;
  const answer = await client.refund(defined(id));
  expect(answer).toMatchObject({
    status: 200,
    encrypted: true,
    body: { status: true, message: 'Refund requests' },
  });
  const refund = recordOf(recordOf(answer.body)['response']);
  expect(refund['id']).toBe(id);
  expect(Object.keys(refund)).toEqual(REFUND_MEMBERS);
  expect(Object.keys(recordOf(refund['transaction']))).toEqual(TRANSACTION_MEMBERS);
  expect(refund['merchant_id']).toBe(merchant.merchantId);
});

describe('the refund list', () => {
  it('is encrypted, ordered by refund_at with the newest first, and its stats add up', async () => {
    const answer = await client.refunds(range);
    expect(answer).toMatchObject({ encrypted: true, body: { status: true, message: 'Refund requests' } });
    const pages = [await list(range), await list({ ...range, page: 2 }), await list({ ...range, page: 3 })];
    const { refunds } = sandbox.data.truth(code, DAY);
    expect(pages.flatMap(idsOf).reverse()).toEqual(refunds.ids);
    const total = (status: string): string => refunds.byStatus[status]?.total ?? '0.000';
    for (const { stats } of pages) {
      expect(stats).toEqual({
        total_refund_request_count: 23,
        total_refund_request_amount: refunds.total,
        pending_total_refund_request_amount: total('0'),
        approved_total_refund_request_amount: total('1'),
        rejected_total_refund_request_amount: total('2'),
      });
    }
    expect(
      new Set(pages.flatMap((page) => page.refund_request_list.data.map((refund) => refund.refund_at))),
    ).toEqual(new Set([DAY]));
  });

  it('is paginated like the invoices', async () => {
    const url = `${sandbox.origin}/api/v1/refund/`;
    expect((await list({ ...range, page: 2 })).refund_request_list.pagination).toEqual({
      total: 23,
      count: 10,
      per_page: 10,
      current_page: 2,
      total_pages: 3,
      ...{ page_url: url, next_page_url: `${url}?page=3`, previous_page_url: `${url}?page=1` },
    });
    expect((await list({ ...range, page: 4 })).refund_request_list.data).toEqual([]);
  });

  it('is also found without its last slash', async () => {
    expect(await client.get('/api/v1/refund', range)).toEqual(await client.refunds(range));
  });
});
