import type { Counts } from '#records/figures/figure-schemas.ts';
import type { Thousandths } from '#records/money/money.ts';
import type { Behind } from './behind.ts';

export interface ExpiringInvoice {
  createdOn: string;
  expiresOn: string;
}

/** The kinds of readings. A check reads only what its rules need. */
export type Need = 'counts' | 'amounts' | 'refunds' | 'expiring' | 'lastSealed';

/** `null`: unknown, without data for a measure. Amounts in thousandths, times in milliseconds UTC. */
export interface Readings {
  now: number;
  /** The merchant's own date at `now`. */
  today: string;
  /** Of the amounts and refunds: that of the day's page, once it is sealed. */
  currency: string;
  counts: Counts | null;
  amounts: { paid: Thousandths; unpaid: Thousandths } | null;
  refunds: { count: number; total: Thousandths; largest: Thousandths } | null;
  expiring: readonly ExpiringInvoice[] | null;
  /** Milliseconds UTC of the pull; `null` when none is sealed. */
  lastSealedAt: number | null;
  behind: Behind;
}
