import * as z from 'zod';
import type { Day } from '#records/day/business-day.ts';
import { integerText, isMembers } from '#records/json/exact-json.ts';
import { isAmount } from '#records/money/money.ts';
import { asSent, listAsSent, listOf } from '#records/rows/as-sent.ts';
import { checked, integer, merchantId } from '#records/rows/contract-types.ts';
import { MisfitTally } from '#records/rows/misfits.ts';
import { shapeOf } from '#records/rows/row-shape.ts';
import type { PaymentsClient } from '../client.ts';
import { countOf } from '../envelope/count-of.ts';
import { ContractError, NotFoundError, PaymentsError } from '../errors.ts';

/** The service has no list: the registry must name another source of refund ids. */
export class RefundListMissingError extends PaymentsError {
  override readonly name = 'RefundListMissingError';
}

/** The list is not part of the contract. So nothing but the id is needed of a refund. */
const listedRefundSchema = z.lazy(() => z.looseObject({ id: integer }));

const countOrNone = checked(z.unknown(), (value) => isNone(value) || countOf(value) !== null);
const amountOrNone = checked(z.unknown(), (value) => isNone(value) || isAmount(value));
/** Anything else is drift (docs/contract.md, 4.3 Refund list). */
const SHAPE = shapeOf(
  z.object({
    stats: z
      .object({ total_refund_request_count: countOrNone, total_refund_request_amount: amountOrNone })
      .nullish(),
    refund_request_list: z.object({
      data: checked(z.unknown(), Array.isArray),
      pagination: z.object({ total_pages: countOrNone }).nullish(),
    }),
  }),
);
const LISTED_SHAPE = shapeOf(z.object({ amount: amountOrNone }));

function isNone(value: unknown): boolean {
  return value === null || value === undefined;
}

/** Only the ids are needed (docs/contract.md, 4.3 Refund list). */
const refundListSchema = asSent(
  z.looseObject({
    refund_request_list: z.looseObject({
      data: listAsSent(listedRefundSchema),
    }),
  }),
);

/** For a list that never states its end, repeats or is empty. */
const MOST_PAGES = 2_000;
/** The most refunds of a day. Each is a request of its own, and no function runs long enough for more. */
const MOST_REFUNDS = 250_000;

export interface RefundListPage {
  /** What the list states about itself, `null` when it states nothing. */
  stated: { count: number | null; amount: string | null };
  refunds: { id: string; amount: string | null }[];
  misfits: MisfitTally;
}

/**
 * The pages of a day's list (docs/contract.md, 4.3 Refund list), until one is empty, repeats or says it is
 * the last: how it ends is not published.
 * @throws {RefundListMissingError} when the service has no such list
 * @throws {PaymentsError} see {@link PaymentsClient.read}
 */
export async function* refundListPages(client: PaymentsClient, day: Day): AsyncGenerator<RefundListPage> {
  const seen = new Set<string>();
  for (let page = 1; ; page += 1) {
    const response = await readPage(client, day, page);
    const { stats, refund_request_list: list } = response;
    const listed = listOf(list.data);
    for (const [index, { merchant_id }] of listed.entries()) {
      const ownId = merchantId.safeParse(merchant_id);
      if (!ownId.success || ownId.data === '') continue;
      const path = `response.refund_request_list.data[${index}].merchant_id`;
      client.identity.check(`refund list (page ${page})`, path, ownId.data);
    }
    const misfits = new MisfitTally();
    misfits.add(response, SHAPE);
    for (const refund of listed) misfits.add(refund, LISTED_SHAPE, refund.id, 'refund_request_list.data.');
    const refunds = listed.map(({ id, amount }) => ({
      id: integerText(id),
      amount: isAmount(amount) ? amount : null,
    }));
    const said = isMembers(stats) ? stats : {};
    const amount = said['total_refund_request_amount'];
    const stated = {
      count: countOf(said['total_refund_request_count']),
      amount: isAmount(amount) ? amount : null,
    };
    const fresh = refunds.filter(({ id }) => !seen.has(id));
    for (const { id } of fresh) seen.add(id);
    if (page === 1 || fresh.length > 0) yield { stated, refunds: fresh, misfits };
    const totalPages = isMembers(list.pagination) ? countOf(list.pagination['total_pages']) : null;
    if (fresh.length === 0 || (totalPages !== null && page >= totalPages)) return;
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
