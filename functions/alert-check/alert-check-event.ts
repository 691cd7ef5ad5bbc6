import * as z from 'zod';
import { readEvent } from '#domain/errors/invalid-event.ts';
import { MERCHANT_CODE } from '#domain/registry/registry-schema.ts';

const instant = z.lazy(() => z.iso.datetime({ offset: true }));

export const alertCheckEventSchema = z.lazy(() =>
  z.strictObject({
    merchantCode: z.string().regex(MERCHANT_CODE, 'must be letters, digits and "-", 64 at the most'),
    day: z.string().default('today'),
    now: instant.nullish(),
    scheduledTime: instant.nullish(),
    dryRun: z.boolean().default(false),
  }),
);

/**
 * What `alert-check` is invoked with (docs/interfaces.md, 4.3 alert-check); left out: today, the clock, and in earnest.
 */
export type AlertCheckEvent = z.infer<typeof alertCheckEventSchema>;

/** @throws {InvalidEventError} naming the member that is malformed or not known */
export function readAlertCheckEvent(event: unknown): AlertCheckEvent {
  return readEvent(alertCheckEventSchema, event);
}
