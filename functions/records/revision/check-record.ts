import * as z from 'zod';
import type { Day } from '../day/business-day.ts';

export const pullFailureSchema = z.lazy(() =>
  z.object({
    /** The first sentence of the error. `null`: it may quote data. */
    says: z.string().nullable(),
    /** The HTTP status of the service's answer; `null` without an answer. */
    status: z.int().nullable(),
    /** How many pulls of the day failed one after another, and since when. */
    tries: z.int().min(1),
    since: z.iso.datetime(),
  }),
);
export type PullFailure = z.infer<typeof pullFailureSchema>;

/** Of a day's last pull (docs/interfaces.md, 6 Objects). Times are ISO 8601 in UTC. */
export interface CheckRecord {
  merchantCode: string;
  day: Day;
  checkedAt: string;
  /** `null` when the pull failed. */
  pull: string | null;
  outcome: 'sealed' | 'unchanged' | 'failed';
  /** `null` when nothing is sealed. */
  revision: number | null;
  scheduledTime: string | null;
  /** The name of the error of a failed pull. */
  error: string | null;
  /** Of a failed pull. Records of earlier versions do not have it. */
  failure?: PullFailure | undefined;
  /** When figures were last known to be those of `revision`. */
  asOf: string | null;
  /**
   * Of `revision`, once nothing is left to do for mail and history: a later look need not read these. `null`
   * before.
   */
  mail: 'sent' | 'skipped' | null;
  /** Of `revision`. `null`: unknown, or more than {@link FewRefundIds} keeps. */
  refundIds: string[] | null;
}

export const MOST_REFUND_IDS = 100;
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

export interface StandingCheck {
  record: CheckRecord | undefined;
  /** ETag, `undefined` when there is no object. */
  version: string | undefined;
}

export const NO_CHECK: StandingCheck = { record: undefined, version: undefined };
