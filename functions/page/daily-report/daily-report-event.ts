import * as z from 'zod';
import { mailAddress } from '#registry/mail-address.ts';
import { readEvent } from '#records/errors/invalid-event.ts';
import { MERCHANT_CODE, MOST_RECIPIENTS } from '#registry/registry-schema.ts';

const refundId = z.lazy(() =>
  z
    .union([z.int().min(0), z.string().regex(/^\d{1,30}$/, 'must be digits')])
    .transform((id) => id.toString()),
);

const resend = z.lazy(() =>
  z.union(
    [z.boolean(), z.literal('failed'), z.array(mailAddress).min(1).max(MOST_RECIPIENTS)],
    `must be true, false, "failed" or a list of 1 to ${MOST_RECIPIENTS} addresses`,
  ),
);

/** The event of `daily-report` (docs/interfaces.md, 4.2 daily-report). */
export const dailyReportEventSchema = z.lazy(() =>
  z
    .strictObject({
      merchantCode: z.string().regex(MERCHANT_CODE, 'must be letters, digits and "-", 64 at most'),
      day: z.string().default('yesterday'),
      refundIds: z.array(refundId).max(10_000).default([]),
      send: z.boolean().default(true),
      to: z.array(mailAddress).min(1).max(50).optional(),
      resend: resend.default(false),
      dryRun: z.boolean().default(false),
      scheduledTime: z.iso.datetime({ offset: true }).nullish(),
    })
    .refine(({ resend, send }) => send || !resend, { path: ['resend'], message: 'contradicts "send": false' })
    .refine(({ resend, to }) => to === undefined || !resend, {
      path: ['resend'],
      message: 'contradicts "to": a preview is not sent again',
    }),
);

/** Without `day` yesterday, without `send` mailed (docs/interfaces.md, 4.2 daily-report). */
export type DailyReportEvent = z.infer<typeof dailyReportEventSchema>;

/** @throws {InvalidEventError} names the wrong member */
export function readDailyReportEvent(event: unknown): DailyReportEvent {
  return readEvent(dailyReportEventSchema, event);
}
