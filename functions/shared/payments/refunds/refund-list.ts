import * as z from 'zod';
import { listAsSent } from '#domain/records/as-sent.ts';
import type { Day } from '#domain/day/business-day.ts';
import { amount, integer } from '#domain/records/contract-types.ts';
import { integerText } from '#domain/json/exact-json.ts';
import type { PaymentsClient } from '../client.ts';
import { ContractError, NotFoundError, PaymentsError } from '../errors.ts';

/** The service has no refund list. The registry must name another source of refund ids. */
export class RefundListMissingError extends PaymentsError {
  override readonly name = 'RefundListMissingError';
}

const merchantIdSchema = z.lazy(() => z.union([integer, z.string()]));

/** The list is not part of the contract. So a member is checked only when it is there. */
const listedRefundSchema = z.lazy(() =>
  z.looseObject({ id: integer, amount: amount.optional(), merchant_id: z.unknown() }),
);

/**
 * Published, but not part of the contract (docs/contract.md, 4.3 Refund list). Only the members that are
 * needed are read.
 */
const refundListSchema = z.object({
  stats: z
    .object({
      total_refund_request_count: z
        .union([
          z.int().min(0),
          z
            .string()
            .regex(/^\d{1,15}$/)
            .transform(Number),
        ])
        .nullish(),
      total_refund_request_amount: amount.nullish(),
    })
    .nullish(),
  refund_request_list: z.object({
    data: listAsSent(listedRefundSchema),
    pagination: z.object({ current_page: z.int(), total_pages: z.int() }).nullish(),
  }),
});

/** The most pages of a list. It bounds a list that does not state its end and never repeats or is empty. */
const MOST_PAGES = 2_000;
/** The most refunds of a day. Each is a request of its own, and no function runs long enough for more. */
const MOST_REFUNDS = 250_000;

/** One page of the refund list. */
export interface RefundListPage {
  /** What the list states about itself, `null` when it states nothing. */
  stated: { count: number | null; amount: string | null };
  refunds: { id: string; amount: string | null }[];
}

/**
 * The pages of the refund list of a day (docs/contract.md, 4.3 Refund list), one after another. They end with
 * a page that is empty, repeats an earlier one, or says that it is the last: how the list ends is not
 * published.
 *
 * @throws {RefundListMissingError} when the service has no such list
 * @throws {PaymentsError} see {@link PaymentsClient.read}
 */
export async function* refundListPages(client: PaymentsClient, day: Day): AsyncGenerator<RefundListPage> {
  const seen = new Set<string>();
  for (let page = 1; ; page += 1) {
    const { stats, refund_request_list: list } = await readPage(client, day, page);
    for (const [index, { merchant_id }] of list.data.entries()) {
      const merchantId = merchantIdSchema.safeParse(merchant_id);
      if (!merchantId.success) continue;
      const path = `response.refund_request_list.data[${index}].merchant_id`;
      client.identity.check(`refund list (page ${page})`, path, merchantId.data);
    }
    const refunds = list.data.map(({ id, amount: sum }) => ({ id: integerText(id), amount: sum ?? null }));
    const stated = {
      count: stats?.total_refund_request_count ?? null,
      amount: stats?.total_refund_request_amount ?? null,
    };
    const fresh = refunds.filter(({ id }) => !seen.has(id));
    for (const { id } of fresh) seen.add(id);
    if (page === 1 || fresh.length > 0) yield { stated, refunds: fresh };
    const saysLast =
      list.pagination !== null && list.pagination !== undefined && page >= list.pagination.total_pages;
    if (fresh.length === 0 || saysLast) return;
    if (page === MOST_PAGES || seen.size > MOST_REFUNDS) {
      const operation = `refund list (page ${page})`;
      const reason = page === MOST_PAGES ? 'does not end' : 'has more refunds than can be read';
      throw new ContractError({ operation }, 'response.refund_request_list', reason);
    }
  }
}

async function readPage(client: PaymentsClient, day: Day, page: number) {
  const operation = `refund list (page ${page})`;
  try {
    return await client.read({
      operation,
      path: client.service.refundListPath,
      query: { fromDate: day, toDate: day, page: page.toString() },
      schema: refundListSchema,
    });
  } catch (error) {
    // After its first page the list certainly exists.
    if (!(error instanceof NotFoundError) || !error.isTheServices || page > 1) throw error;
    throw new RefundListMissingError(
      { operation },
      'the service has no refund list; set refunds.source of the merchant to "watchlist", or service.refundListPath',
    );
  }
}
