import type { RefundListReading } from '#records/balance/balance.ts';
import type { Day } from '#records/day/business-day.ts';
import { formatAmount, parseAmount } from '#records/money/money.ts';
import { MisfitTally } from '#records/rows/misfits.ts';
import { NameTally } from '#records/rows/name-tally.ts';
import type { Refund } from '#records/rows/refund.ts';
import { neededRefundSchema } from '#records/rows/refund.ts';
import type { PaymentsClient } from '../client.ts';
import { inOrder } from '../in-order.ts';
import type { Turn } from '../in-order.ts';
import { refundListPages } from './refund-list.ts';
import { asSent } from '#records/rows/as-sent.ts';
import { integerText } from '#records/json/exact-json.ts';
import { ContractError, NotFoundError } from '../errors.ts';

interface RefundReading {
  refund: Refund;
  repeatedFields: NameTally;
}

/**
 * Reads one refund (docs/contract.md, 4.2 Refund details). `undefined` when the service does not know the id.
 * @throws {ContractError} when the answer lacks what is needed, or is another refund or merchant's
 * @throws {PaymentsError} see {@link PaymentsClient.read}
 */
export async function readRefund(
  client: PaymentsClient,
  id: string,
  turn?: Turn,
): Promise<RefundReading | undefined> {
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

async function readList(
  client: PaymentsClient,
  day: Day,
): Promise<{ ids: string[]; list: RefundListReading; misfits: MisfitTally }> {
  const ids: string[] = [];
  const misfits = new MisfitTally();
  const list: RefundListReading = { statedCount: null, statedAmount: null, listed: 0, listedAmount: null };
  let sum: bigint | null = 0n;
  let isFirst = true;
  for await (const page of refundListPages(client, day)) {
    const { stated, refunds } = page;
    misfits.addAll(page.misfits);
    if (isFirst) {
      list.statedCount = stated.count;
      list.statedAmount = stated.amount;
      isFirst = false;
    }
    for (const { id, amount } of refunds) {
      ids.push(id);
      sum = sum === null || amount === null ? null : sum + parseAmount(amount);
    }
  }
  return {
    ids,
    misfits,
    list: { ...list, listed: ids.length, listedAmount: sum === null ? null : formatAmount(sum) },
  };
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
