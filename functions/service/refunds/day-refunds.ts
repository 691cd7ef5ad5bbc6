import * as z from 'zod';
import type { RefundListReading } from '#records/balance/balance.ts';
import type { Day } from '#records/day/business-day.ts';
import { formatAmount, parseAmount, isAmount } from '#records/money/money.ts';
import { MisfitTally, NameTally } from '#records/rows/drift-tallies.ts';
import type { Refund } from '#records/rows/contract-records.ts';
import { neededRefundSchema } from '#records/rows/contract-records.ts';
import { integerText, isMembers } from '#records/json/exact-json.ts';
import { checked, integer, merchantId } from '#records/rows/contract-types.ts';
import { shapeOf } from '#records/rows/contract-columns.ts';
import type { PaymentsClient } from '../client.ts';
import { inOrder } from '../in-order.ts';
import type { Turn } from '../in-order.ts';
import { asSent, listAsSent, listOf, countOf } from '../envelope/answer-schemas.ts';
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

interface RefundListPage {
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

/**
 * Reads one refund (docs/contract.md, 4.2 Refund details). `undefined` when the service does not know the id.
 * @throws {ContractError} when the answer lacks what is needed, or is another refund or merchant's
 * @throws {PaymentsError} see {@link PaymentsClient.read}
 */
export async function readRefund(client: PaymentsClient, id: string, turn?: Turn) {
  const operation = `refund details (id ${id})`;
  const repeatedFields = new NameTally();
  try {
    const refund = await client.read({
      operation,
      path: `/api/v1/refund/${encodeURIComponent(id)}`,
      query: {},
      schema: asSent(neededRefundSchema),
      records: { at: [], repeated: (field) => repeatedFields.add(field) },
      ...(turn !== undefined && { turn }),
    });
    if (integerText(refund.id) !== id) throw new ContractError({ operation }, 'response.id', `must be ${id}`);
    client.identity.check(operation, 'response.merchant_id', refund.merchant_id);
    return { refund, repeatedFields };
  } catch (error) {
    // A gateway's 404 says nothing about the refund.
    if (error instanceof NotFoundError && error.isTheServices) return undefined;
    throw error;
  }
}

export interface DayRefunds {
  /** `null` when the merchant's `source` is the watch list alone. */
  list: RefundListReading | null;
  missingIds: string[];
  isListCut: boolean;
  isListedMissing: boolean;
  /** Fields that a refund had twice. The last value was kept. */
  repeatedFields: NameTally;
  /** Members of the list that are not as they are published. */
  misfits: MisfitTally;
}

function sorted(ids: Iterable<string>): string[] {
  const canonical = [...ids].map((id) => id.replace(/^0+(?=\d)/, ''));
  return [...new Set(canonical)].sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
}

/** A list has up to 250,000 refunds: only their ids are kept. */
async function readList(client: PaymentsClient, day: Day) {
  const ids: string[] = [];
  const misfits = new MisfitTally();
  let first: RefundListPage['stated'] | undefined;
  let sum: bigint | null = 0n;
  for await (const page of refundListPages(client, day)) {
    first ??= page.stated;
    misfits.addAll(page.misfits);
    for (const { id, amount } of page.refunds) {
      ids.push(id);
      sum = sum === null || amount === null ? null : sum + parseAmount(amount);
    }
  }
  const list: RefundListReading = {
    statedCount: first?.count ?? null,
    statedAmount: first?.amount ?? null,
    listed: ids.length,
    listedAmount: sum === null ? null : formatAmount(sum),
  };
  return { ids, misfits, list };
}

/**
 * Details of every known refund, in the order of their ids. The contract has no list: ids come from the
 * published one (docs/contract.md, 4.3 Refund list), as `source` says, and from `knownIds`.
 */
export async function readDayRefunds(
  client: PaymentsClient,
  day: Day,
  source: 'list' | 'watchlist' | 'both',
  knownIds: Iterable<string>,
  take: (refund: Refund) => Promise<void> | void,
): Promise<DayRefunds> {
  const listed = source === 'watchlist' ? null : await readList(client, day);
  const missingIds: string[] = [];
  function* tasks() {
    for (const id of sorted([...knownIds, ...(listed?.ids ?? [])])) {
      yield async (turn: Turn) => ({ id, read: await readRefund(client, id, turn) });
    }
  }
  const repeatedFields = new NameTally();
  for await (const { id, read } of inOrder(tasks(), () => client.window)) {
    if (read === undefined) {
      missingIds.push(id);
      continue;
    }
    repeatedFields.addAll(read.repeatedFields);
    await take(read.refund);
  }
  const list = listed?.list ?? null;
  const isListCut = list !== null && list.listed < (list.statedCount ?? 0);
  const listedIds = new Set(listed?.ids);
  const isListedMissing = missingIds.some((id) => listedIds.has(id));
  const misfits = listed?.misfits ?? new MisfitTally();
  return { list, missingIds, isListCut, isListedMissing, repeatedFields, misfits };
}
