import type { Period } from '#domain/period/period.ts';
import type { Delivery } from './delivery.ts';

/** A merchant's day. */
interface MerchantDay {
  merchantCode: string;
  day: string;
}

/** A merchant's statement, or a group's page. */
type OfPeriod = { merchantCode: string; period: Period } | { group: string; period: Period };

/** What the answer says of reports. `unbalanced` and `held` are part of `missing`. */
export interface ReportsAnswer {
  expected: number;
  delivered: number;
  missing: (MerchantDay & { reason: string })[];
  unbalanced: MerchantDay[];
  held: MerchantDay[];
}

/** What the answer says of statements and groups' pages. */
export interface StatementsAnswer {
  expected: number;
  delivered: number;
  missing: (OfPeriod & { reason: string })[];
  /** Those whose newest revision is provisional. They count as delivered when their mail arrived. */
  provisional: OfPeriod[];
}

/** The answer of `delivery-watch` (docs/interfaces.md, 4.4 delivery-watch). */
export interface WatchAnswer extends ReportsAnswer {
  statements: StatementsAnswer;
}

function merchantDay({ owner, period }: Delivery): MerchantDay {
  return { merchantCode: owner.merchantCode ?? '', day: period };
}

function ofPeriod({ owner, period }: Delivery): OfPeriod {
  return owner.merchantCode === undefined
    ? { group: owner.group, period }
    : { merchantCode: owner.merchantCode, period };
}

function missingOf<Named>(looked: readonly Delivery[], named: (one: Delivery) => Named) {
  return looked.flatMap((one) => (one.missing === null ? [] : [{ ...named(one), reason: one.missing }]));
}

/** The answer about all expected reports, in their order. */
export function reportsAnswer(looked: readonly Delivery[]): ReportsAnswer {
  const missing = missingOf(looked, merchantDay);
  return {
    expected: looked.length,
    delivered: looked.length - missing.length,
    missing,
    unbalanced: looked.filter(({ isGood }) => !isGood).map(merchantDay),
    held: looked.filter(({ mail }) => mail === 'held').map(merchantDay),
  };
}

/** The answer about all statements and groups' pages that count, in their order. */
export function statementsAnswer(looked: readonly Delivery[]): StatementsAnswer {
  const counted = looked.filter(({ counts }) => counts);
  const missing = missingOf(counted, ofPeriod);
  return {
    expected: counted.length,
    delivered: counted.length - missing.length,
    missing,
    provisional: counted.filter(({ isGood }) => !isGood).map(ofPeriod),
  };
}
