import * as z from 'zod';
import { isDay } from '#records/day/business-day.ts';
import { MERCHANT_CODE } from '#registry/registry-schema.ts';
import type { Day } from '#records/day/business-day.ts';
import type { StatementItem } from '#page/statement-item.ts';

export interface PlanItem {
  merchantCode: string;
  days: Day[];
  send: boolean;
  scheduledTime: string | null;
  large?: true | undefined;
}

/** As Step Functions passes it back (docs/interfaces.md, 6.7 Items). */
export const planItemSchema = z.lazy(() =>
  z.strictObject({
    merchantCode: z.string().regex(MERCHANT_CODE),
    days: z.array(z.string().refine(isDay, 'is not a date')).min(1),
    send: z.boolean(),
    scheduledTime: z.iso.datetime().nullable(),
    large: z.literal(true).optional(),
  }),
);

/** An item of any kind. */
export type AnyItem = PlanItem | StatementItem;
