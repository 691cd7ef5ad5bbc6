import { asSent } from '#domain/records/as-sent.ts';
import { neededRefundSchema } from '#domain/records/refund.ts';
import type { Refund } from '#domain/records/refund.ts';
import { integerText } from '#domain/json/exact-json.ts';
import { NameTally } from '#domain/records/name-tally.ts';
import type { PaymentsClient } from '../client.ts';
import { ContractError, NotFoundError } from '../errors.ts';
import type { Turn } from '../in-order.ts';

/** A refund as it was read. */
export interface RefundReading {
  refund: Refund;
  /** Fields that the refund has twice. */
  repeatedFields: NameTally;
}

/**
 * Reads one refund (docs/contract.md, 4.2 Refund details).
 *
 * @param id digits, as in a refund's `id`
 * @param turn see {@link ReadRequest}
 * @returns `undefined` when the service does not know the id
 * @throws {ContractError} when the answer lacks what is needed of a refund, or is another refund or another
 * merchant's
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
