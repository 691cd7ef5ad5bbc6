import * as z from 'zod';
import { periodSchema } from '../period/period.ts';
import type { Period } from '../period/period.ts';
import { MERCHANT_CODE } from '../registry/registry-schema.ts';
import type { StatementOwner } from '../storage/statement-keys.ts';

/** A statement of a merchant, or a page of a group, that is due. It is an event of the function `statement`. */
export type StatementItem = StatementOwner & {
  period: Period;
  /** Whether it is mailed. */
  send: boolean;
  /** ISO 8601 in UTC. */
  scheduledTime: string | null;
  /** The newest revision of each day of a merchant's period, in order; 0 for a day that is not sealed. */
  revisions?: number[] | undefined;
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
    }),
    z.strictObject({ group: name, ...shared }),
  ]);
});
