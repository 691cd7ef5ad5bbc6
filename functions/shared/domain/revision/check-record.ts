import type { Day } from '../day/business-day.ts';

/**
 * The result of a day's last pull, stored under `checked/…` (docs/interfaces.md, 6 Objects). Times are ISO
 * 8601 in UTC.
 */
export interface CheckRecord {
  merchantCode: string;
  day: Day;
  checkedAt: string;
  /** `null` when the pull failed. */
  pull: string | null;
  outcome: 'sealed' | 'unchanged' | 'failed';
  /** The newest sealed revision after this run, `null` when there is none. */
  revision: number | null;
  scheduledTime: string | null;
  /** The name of the error of a failed pull. */
  error: string | null;
  /** When the service's figures were last known to be those of `revision`. */
  asOf: string | null;
  /**
   * What became of the mail of `revision`, once nothing is left to do for it, nor for the merchant's history. `null`
   * before. So a later look that finds the day unchanged need not read the ledger and the history.
   */
  mail: 'sent' | 'skipped' | null;
  /** The ids of the refunds of `revision`. `null` when they are not known, or too many: see {@link FewRefundIds}. */
  refundIds: string[] | null;
}

/** The most ids of refunds in a record. A day with more has them in its sealed file. */
export const MOST_REFUND_IDS = 100;
/** The most characters of each. */
export const LONGEST_REFUND_ID = 40;

/** Collects the ids of a day's refunds for its record, as long as they are few. */
export class FewRefundIds {
  #ids: string[] | null = [];

  add(id: string): void {
    if (this.#ids === null) return;
    if (this.#ids.length === MOST_REFUND_IDS || id.length > LONGEST_REFUND_ID) this.#ids = null;
    else this.#ids.push(id);
  }

  /** `null` when they are too many, or too long. */
  ids(): string[] | null {
    return this.#ids;
  }
}

/** A day's record as it is stored, to be replaced. */
export interface StandingCheck {
  record: CheckRecord | undefined;
  /** ETag, `undefined` when there is no object. */
  version: string | undefined;
}

/** What stands where nothing is stored. */
export const NO_CHECK: StandingCheck = { record: undefined, version: undefined };
