import type { Context } from 'aws-lambda';
import { dayAt, resolveDay } from '#domain/day/business-day.ts';
import { InvalidEventError } from '#domain/errors/invalid-event.ts';
import { addressesOnce } from '#domain/mail/mail-address.ts';
import { merchantSettings } from '#domain/registry/merchants.ts';
import type { MerchantSettings } from '#domain/registry/registry-schema.ts';
import type { Registry } from '#domain/registry/registry.ts';
import { addressHash } from '#domain/storage/keys.ts';
import { remainingTime } from '#runtime/remaining-time.ts';
import type { LocalDate } from '#snapshots/history-store.ts';
import { readDailyReportEvent } from './daily-report-event.ts';
import type { DailyReportEvent, Resend } from './daily-report-event.ts';
import type { Dependencies } from './dependencies.ts';

/** One invocation: the event, the merchant and the end of the time. */
export interface Run {
  event: DailyReportEvent;
  registry: Registry;
  settings: MerchantSettings;
  day: string;
  /** When the function ends, milliseconds UTC. */
  end: number;
}

/**
 * Reads the event, the registry and the merchant's settings, before anything else is done.
 *
 * @throws {InvalidEventError} when the event is not usable, or names others than recipients of the merchant in
 * `resend`
 * @throws {UnknownMerchantError} when the registry has no such merchant
 * @throws {InvalidMerchantError} when the merchant's entry is not usable
 * @throws {PreviewAddressError} when a preview must not go to an address in the event
 */
export async function prepareRun(
  dependencies: Dependencies,
  input: unknown,
  context: Context | undefined,
): Promise<Run> {
  const { clock, environment } = dependencies;
  const event = readDailyReportEvent(input);
  const end = clock.now() + remainingTime(context);
  const { registry } = await dependencies.registry.load();
  const settings = merchantSettings(registry, event.merchantCode);
  assertResendAllowed(event.resend, settings.recipients);
  if (event.to !== undefined) {
    const { assertPreviewAllowed } = await import('#mailing/preview/preview-addresses.ts');
    await assertPreviewAllowed(event.to, {
      recipients: settings.recipients,
      opsRecipients: environment.ops.recipients,
      mailFrom: environment.mail.from,
    });
  }
  return { event, registry, settings, day: resolveDay(event.day, clock.now(), settings.timeZone), end };
}

/** The merchant's current date. */
export function todayOf({ clock }: Dependencies, { settings: { timeZone } }: Run): LocalDate {
  return { today: dayAt(clock.now(), timeZone), timeZone };
}

/**
 * Makes sure that a revision is sent again to recipients of the merchant only.
 *
 * @throws {InvalidEventError} with the place in the event, without the address
 */
function assertResendAllowed(resend: Resend, recipients: readonly string[]): void {
  if (!Array.isArray(resend)) return;
  const known = addressesOnce(recipients);
  const stranger = resend.findIndex((address) => !known.has(addressHash(address)));
  if (stranger >= 0)
    throw new InvalidEventError(`resend[${stranger}]`, 'is not a recipient of this merchant');
}
