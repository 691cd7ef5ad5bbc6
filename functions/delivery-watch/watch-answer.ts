import type { Delivery } from './delivery.ts';
import type { StatementsAnswer } from './statements/statements-answer.ts';

/** A merchant's day. */
interface MerchantDay {
  merchantCode: string;
  day: string;
}

/** What the answer says of reports. `unbalanced` and `held` are part of `missing`. */
export interface ReportsAnswer {
  expected: number;
  delivered: number;
  missing: (MerchantDay & { reason: string })[];
  unbalanced: MerchantDay[];
  held: MerchantDay[];
}

/** The answer of `delivery-watch` (docs/interfaces.md, 4.4 delivery-watch). */
export interface WatchAnswer extends ReportsAnswer {
  statements: StatementsAnswer;
}

function merchantDay({ merchantCode, day }: Delivery): MerchantDay {
  return { merchantCode, day };
}

/** The answer about all expected reports, in their order. */
export function watchAnswer(deliveries: readonly Delivery[]): ReportsAnswer {
  const missing = deliveries.flatMap((delivery) =>
    delivery.missing === null ? [] : [{ ...merchantDay(delivery), reason: delivery.missing }],
  );
  return {
    expected: deliveries.length,
    delivered: deliveries.length - missing.length,
    missing,
    unbalanced: deliveries.filter(({ unbalanced }) => unbalanced).map(merchantDay),
    held: deliveries.filter(({ held }) => held).map(merchantDay),
  };
}
