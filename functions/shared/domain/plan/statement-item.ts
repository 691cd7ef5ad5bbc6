import * as z from 'zod';
import { daySchema } from '../day/business-day.ts';
import type { Day } from '../day/business-day.ts';
import { periodSchema } from '../period/period.ts';
import type { Period } from '../period/period.ts';
import { MERCHANT_CODE } from '../registry/registry-schema.ts';
import type { PageOwner } from '../storage/keys.ts';

/**
 * How long what `plan` has seen of the days of a period is good for, milliseconds. A statement that runs later lists them
 * itself: what changed in between could be older than the statement by more than a look of `plan` compares.
 */
export const SEEN_FOR = 30 * 60 * 1_000;

/** What revisions of days are of. */
export interface SeenDays {
  /** When they were listed, ISO 8601 in UTC. */
  at: string;
  /** The first of the days: the merchant's week may begin on another one by now. */
  from: Day;
}

export const seenDaysSchema = z.lazy(() => z.strictObject({ at: z.iso.datetime(), from: daySchema }));

/** A statement of a merchant, or a page of a group, that is due. It is an event of the function `statement`. */
export type StatementItem = PageOwner & {
  period: Period;
  /** Whether it is mailed. */
  send: boolean;
  /** ISO 8601 in UTC. */
  scheduledTime: string | null;
  /** The newest revision of each day of a merchant's period, in order; 0 for a day that is not sealed. */
  revisions?: number[] | undefined;
  /** With `revisions`. */
  seen?: SeenDays | undefined;
};

const name = z.lazy(() => z.string().regex(MERCHANT_CODE));

/** An item as `plan` writes it and Step Functions passes it back (docs/interfaces.md, 6.7 Items). */
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
