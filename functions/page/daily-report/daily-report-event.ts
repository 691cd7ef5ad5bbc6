import * as z from 'zod';
import { readEvent } from '#records/errors/invalid-event.ts';
import { PREVIEW_IS_ONCE, RESEND_IS_SENT, mailMembers, ownerName } from '../page-event.ts';

const refundId = z.lazy(() =>
  z
    .union([z.int().min(0), z.string().regex(/^\d{1,30}$/, 'must be digits')])
    .transform((id) => id.toString()),
);

/** The event of `daily-report` (docs/interfaces.md, 4.2 daily-report). */
export const dailyReportEventSchema = z.lazy(() =>
  z
    .strictObject({
      merchantCode: ownerName,
      day: z.string().default('yesterday'),
      refundIds: z.array(refundId).max(10_000).default([]),
      ...mailMembers(),
    })
    .refine(...RESEND_IS_SENT)
    .refine(...PREVIEW_IS_ONCE),
);

/** Without `day` yesterday, without `send` mailed (docs/interfaces.md, 4.2 daily-report). */
export type DailyReportEvent = z.infer<typeof dailyReportEventSchema>;

/** @throws {InvalidEventError} names the wrong member */
export function readDailyReportEvent(event: unknown): DailyReportEvent {
  return readEvent(dailyReportEventSchema, event);
}
