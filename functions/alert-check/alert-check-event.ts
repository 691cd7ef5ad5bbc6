import * as z from 'zod';
import { readEvent } from '#domain/errors/invalid-event.ts';
import { CHECK_NAME } from './check-name.ts';
import { MERCHANT_CODE } from '#domain/registry/registry-schema.ts';

const instant = z.lazy(() => z.iso.datetime({ offset: true }));

/** The event of `alert-check` (docs/interfaces.md, 4.3 alert-check). */
export const alertCheckEventSchema = z.lazy(() =>
  z.strictObject({
    merchantCode: z.string().regex(MERCHANT_CODE, 'must be letters, digits and "-", 64 at most'),
    day: z.string().default('today'),
    now: instant.nullish(),
    scheduledTime: instant.nullish(),
    dryRun: z.boolean().default(false),
    /** Sends the mail of this earlier check again, and checks nothing. */
    resend: z.string().regex(CHECK_NAME, 'must be the name of a check').nullish(),
  }),
);

/**
 * The event of `alert-check` (docs/interfaces.md, 4.3 alert-check). Without members it means: today, the time
 * of the clock, no dry run, nothing sent again.
 */
export type AlertCheckEvent = z.infer<typeof alertCheckEventSchema>;

/** @throws {InvalidEventError} that names the member that is malformed or unknown */
export function readAlertCheckEvent(event: unknown): AlertCheckEvent {
  return readEvent(alertCheckEventSchema, event);
}
