import * as z from 'zod';
import { daySchema } from '#records/day/business-day.ts';
import type { Day } from '#records/day/business-day.ts';
import { periodSchema } from '#records/period/period.ts';
import type { Period } from '#records/period/period.ts';
import { MERCHANT_CODE } from '#registry/registry-schema.ts';
import type { PageOwner } from '#records/storage/keys.ts';

/**
 * Milliseconds that `plan`'s look at days is good for: what changed since could be older than the statement
 * by more than a look compares.
 */
export const SEEN_FOR = 30 * 60 * 1_000;

export interface SeenDays {
  /** ISO 8601 in UTC. */
  at: string;
  /** The merchant's week may begin on another day by now. */
  from: Day;
}

export const seenDaysSchema = z.lazy(() => z.strictObject({ at: z.iso.datetime(), from: daySchema }));

export type StatementItem = PageOwner & {
  period: Period;
  send: boolean;
  /** ISO 8601 in UTC. */
  scheduledTime: string | null;
  /** Of each day in order; 0 for one that is not sealed. */
  revisions?: number[] | undefined;
  /** With `revisions`. */
  seen?: SeenDays | undefined;
};

const name = z.lazy(() => z.string().regex(MERCHANT_CODE));

/** As Step Functions passes it back (docs/interfaces.md, 6.7 Items). */
export const statementItemSchema = z.lazy(() => {
  const shared = { period: periodSchema, send: z.boolean(), scheduledTime: z.iso.datetime().nullable() };
  return z.union([
    z.strictObject({
      merchantCode: name,
      ...shared,
      revisions: z.array(z.int().min(0)).max(31).optional(),
      seen: seenDaysSchema.optional(),
    }),
    z.strictObject({ group: name, ...shared }),
  ]);
});
