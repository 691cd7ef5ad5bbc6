import * as z from 'zod';
import { daySchema } from '#records/day/business-day.ts';
import type { Day } from '#records/day/business-day.ts';
import type { Period } from '#records/period/period.ts';
import { MERCHANT_CODE } from '#records/storage/keys.ts';
import type { PageOwner } from '#records/storage/keys.ts';

/*
 * The messages of the queues (docs/interfaces.md, 7 Queues). Members that are not known are ignored: `plan` may be of another
 * version than the worker.
 */

const name = z.lazy(() => z.string().regex(MERCHANT_CODE, 'must be letters, digits and "-", 64 at most'));

const shared = {
  send: z.boolean().default(true),
  /** ISO 8601 in UTC. */
  scheduledTime: z.iso.datetime({ offset: true }).nullish(),
};

/** A merchant's days, to report one after another. An alert check takes the first. */
export interface DaysMessage {
  merchantCode: string;
  days: Day[];
  send: boolean;
  scheduledTime: string | null;
}

export const daysMessageSchema = z.lazy(() =>
  z.object({ merchantCode: name, days: z.array(daySchema).min(1), ...shared }),
);

/** Milliseconds: what changed since `plan`'s look could be older than the statement by more than a look compares. */
export const SEEN_FOR = 30 * 60 * 1_000;

/** `from`: the merchant's week may begin on another day by now. */
export const seenDaysSchema = z.lazy(() => z.strictObject({ at: z.iso.datetime(), from: daySchema }));

export type StatementMessage = PageOwner & {
  period: Period;
  send: boolean;
  scheduledTime: string | null;
  /** Of each day in order; 0 for one that is not sealed. */
  revisions?: number[] | undefined;
  /** With `revisions`. */
  seen?: z.infer<typeof seenDaysSchema> | undefined;
};

/** The function checks it as its event. */
export const statementMessageSchema = z.lazy(() =>
  z.object({
    merchantCode: name.optional(),
    group: name.optional(),
    period: z.string(),
    ...shared,
    revisions: z.array(z.int().min(0)).max(31).optional(),
    seen: seenDaysSchema.optional(),
  }),
);

export type QueueMessage = DaysMessage | StatementMessage;
