import * as z from 'zod';

const pullFailureSchema = z.lazy(() =>
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

export const MOST_REFUND_IDS = 100;
const LONGEST_REFUND_ID = 40;

/** Of a day's last pull, under `checked/` (docs/interfaces.md, 6 Objects). Times are ISO 8601 in UTC. */
export const checkRecordSchema = z.lazy(() =>
  z.object({
    merchantCode: z.string(),
    day: z.string(),
    checkedAt: z.iso.datetime(),
    /** `null` when the pull failed. */
    pull: z.string().nullable(),
    outcome: z.enum(['sealed', 'unchanged', 'failed']),
    /** `null` when nothing is sealed. */
    revision: z.int().nullable(),
    scheduledTime: z.string().nullable(),
    /** The name of the error of a failed pull. */
    error: z.string().nullable(),
    /** Of a failed pull. Records of earlier versions do not have it. */
    failure: pullFailureSchema.optional(),
    /** When figures were last known to be those of `revision`. */
    asOf: z.iso.datetime().nullable(),
    /** Of `revision`, once mail and history are done: a later look need not read these. `null` before. */
    mail: z.enum(['sent', 'skipped']).nullable().default(null),
    /** Of `revision`. `null`: unknown, or more than {@link FewRefundIds} keeps. */
    refundIds: z.array(z.string().max(LONGEST_REFUND_ID)).max(MOST_REFUND_IDS).nullable().default(null),
  }),
);
export type CheckRecord = z.infer<typeof checkRecordSchema>;

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
