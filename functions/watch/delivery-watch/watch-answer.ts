import type { Period } from '#records/period/period.ts';
import type { Delivery } from './delivery.ts';

interface MerchantDay {
  merchantCode: string;
  day: string;
}

type OfPeriod = { merchantCode: string; period: Period } | { group: string; period: Period };

export interface ReportsAnswer {
  expected: number;
  delivered: number;
  missing: (MerchantDay & { reason: string })[];
  unbalanced: MerchantDay[];
  held: MerchantDay[];
}

export interface StatementsAnswer {
  expected: number;
  delivered: number;
  missing: (OfPeriod & { reason: string })[];
  /** Delivered when their mail arrived. */
  provisional: OfPeriod[];
}

/** docs/interfaces.md, 4.4 delivery-watch. */
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
