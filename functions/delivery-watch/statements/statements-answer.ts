import type { Period } from '#domain/period/period.ts';
import type { PageOwner } from '#domain/storage/keys.ts';
import type { StatementDelivery } from './statement-delivery.ts';

/** A merchant's statement, or a group's page. */
type OfPeriod = { merchantCode: string; period: Period } | { group: string; period: Period };

/** What the answer of `delivery-watch` says of statements and groups' pages (docs/interfaces.md, 4.4 delivery-watch). */
export interface StatementsAnswer {
  expected: number;
  delivered: number;
  missing: (OfPeriod & { reason: string })[];
  /** Those whose newest revision is provisional. They count as delivered when their mail arrived. */
  provisional: OfPeriod[];
}

function ofPeriod(owner: PageOwner, period: Period): OfPeriod {
  return owner.merchantCode === undefined
    ? { group: owner.group, period }
    : { merchantCode: owner.merchantCode, period };
}

/** The answer about all statements that count, in their order. */
export function statementsAnswer(looked: readonly StatementDelivery[]): StatementsAnswer {
  const counted = looked.filter(({ counts }) => counts);
  const missing = counted.flatMap(({ owner, period, missing: reason }) =>
    reason === null ? [] : [{ ...ofPeriod(owner, period), reason }],
  );
  const provisional = counted.filter((one) => one.provisional);
  return {
    expected: counted.length,
    delivered: counted.length - missing.length,
    missing,
    provisional: provisional.map(({ owner, period }) => ofPeriod(owner, period)),
  };
}
