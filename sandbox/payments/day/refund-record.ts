import { decimal } from './amounts.ts';
import { addDays, datetime, DAY_SECONDS } from './calendar.ts';
import { longTailedAmount } from './invoice-record.ts';
import type { Random } from './random.ts';

/** A refund's `status` in the sandbox. The published sample has 1, with "Auto Refund Approved". */
export const REFUND_STATUS = { pending: 0, approved: 1, rejected: 2 } as const;

interface RefundSeed {
  id: number;
  status: number;
  /** `refund_at`. */
  day: string;
  merchantId: number;
}

const LONGEST_WAIT_DAYS = 20;
const REMARKS = {
  0: 'Requested by customer',
  1: 'Auto Refund Approved',
  2: 'Rejected: already settled, "see note"',
};

/** What the approval changes in a refund of `amount`, for a transaction of `total` (both thousandths). */
export function approval(amount: bigint, total: bigint): Record<string, unknown> {
  return {
    status: REFUND_STATUS.approved,
    remarks: REMARKS[1],
    approved_by: 'Admin',
    total_balance_amount: decimal(total - amount),
    total_refunded_amount: decimal(amount),
  };
}

/**
 * One refund with every member, in the order of docs/contract.md, 2.4 Refund record. The same seed gives the same text.
 */
export function refundRecord(random: Random, seed: RefundSeed): Record<string, unknown> {
  const total = longTailedAmount(random);
  const partial = total > 2000n && random.chance(35);
  const amount = partial ? total / BigInt(2 + random.below(4)) : total;
  const requestedSecond = 12 * 3600 + random.below(12 * 3600);
  const sameDay = random.chance(40);
  const saleDay = sameDay ? seed.day : addDays(seed.day, -1 - random.below(LONGEST_WAIT_DAYS));
  const soldAt = datetime(saleDay, random.below(sameDay ? requestedSecond : DAY_SECONDS));
  const createdAt = datetime(seed.day, requestedSecond);
  const decidedAt = datetime(
    seed.day,
    requestedSecond + random.below(Math.min(7200, DAY_SECONDS - requestedSecond)),
  );
  const approved = seed.status === REFUND_STATUS.approved;
  const pending = seed.status === REFUND_STATUS.pending;
  const byCard = random.chance(40);
  const token = random.characters(20);
  const decision = approved
    ? approval(amount, total)
    : { remarks: pending ? REMARKS[0] : REMARKS[2], approved_by: pending ? '' : 'Admin' };
  return {
    id: seed.id,
    merchant_id: seed.merchantId,
    amount: decimal(amount),
    refund_at: seed.day,
    document_number: random.chance(50) ? '' : `DOC-${random.digits(6)}`,
    token,
    transaction_date: soldAt,
    order_reference_number: random.chance(80) ? `ORD-${random.digits(8)}` : random.digits(10),
    recover_method: random.chance(85) ? '1' : '2',
    status: seed.status,
    refund_method: partial ? '2' : '1',
    remarks: '',
    approved_by: '',
    total_balance_amount: decimal(total),
    total_refunded_amount: '0.000',
    total_transaction_amount: decimal(total),
    created_at: createdAt,
    updated_at: pending ? createdAt : decidedAt,
    transaction: {
      id: Number(random.digits(7)),
      amount: Number(total) / 1000,
      admin_charge: byCard ? 0.3 : 0.15,
      token,
      payment_id: byCard ? 2 : 1,
      payment_name: byCard ? 'MPGS' : 'KNET',
      display_name: byCard ? 'Credit Card' : 'KNET',
      track_id: random.digits(14),
      transaction_id: random.digits(15),
      service_id: byCard ? 2 : 1,
      auth: random.chance(50) ? `B${random.digits(5)}` : random.digits(6),
      status: 1,
      created_at: soldAt,
    },
    ...decision,
  };
}
