import type { Counts } from '../figures/figures.ts';
import type { Thousandths } from '../money/money.ts';
import type { Behind } from './behind.ts';

/** An unpaid invoice that was created on one of the days that were read and expires soon. */
export interface ExpiringInvoice {
  /** The day it was created, `YYYY-MM-DD`. */
  createdOn: string;
  /** The date it expires, `YYYY-MM-DD`. */
  expiresOn: string;
}

/** The kinds of readings. A check reads only what its rules need. */
export type Need = 'counts' | 'amounts' | 'refunds' | 'expiring' | 'lastSealed';

/**
 * What a check has read. `null`: unknown, and a measure of it has no data. Amounts in thousandths, times in
 * milliseconds UTC.
 */
export interface Readings {
  now: number;
  /** The merchant's own date at `now`. */
  today: string;
  /** Of the amounts and refunds: that of the day's page, once it is sealed. */
  currency: string;
  counts: Counts | null;
  amounts: { paid: Thousandths; unpaid: Thousandths } | null;
  /** `largest` is 0 when there is no refund. */
  refunds: { count: number; total: Thousandths; largest: Thousandths } | null;
  expiring: readonly ExpiringInvoice[] | null;
  /** When the merchant's newest sealed day was pulled, `null` when none is sealed. */
  lastSealedAt: number | null;
  /** Invoices and refunds that a mail can name. */
  behind: Behind;
}
