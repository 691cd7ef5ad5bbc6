import * as z from 'zod';
import { readEvent } from '#records/errors/invalid-event.ts';
import { PREVIEW_IS_ONCE, RESEND_IS_SENT, mailMembers, ownerName, assertMailAllowed } from '../page-event.ts';
import type { Context } from 'aws-lambda';
import { addDays, dayAt, resolveDay, type Day } from '#records/day/business-day.ts';
import { merchantSettings } from '#registry/merchants.ts';
import type { MerchantSettings } from '#registry/registry-schema.ts';
import type { Registry } from '#registry/registry.ts';
import { remainingTime } from '#runtime/clock.ts';
import type { LocalDate } from '../history-store.ts';
import type { Dependencies } from './dependencies.ts';
import { NO_CHECK, type StandingCheck } from '#records/revision/check-record.ts';
import type { Manifest } from '#records/revision/manifest.ts';
import { merchantDay } from '#records/storage/keys.ts';
import type { DayStore } from '#page/day-store.ts';

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

export interface Run {
  event: DailyReportEvent;
  registry: Registry;
  settings: MerchantSettings;
  day: string;
  /** Milliseconds UTC. */
  end: number;
  /** Types of invoices of which the service has said that the day has nothing. */
  absentTypes?: readonly string[];
}

/**
 * Reads event, registry and settings first.
 * @throws {InvalidEventError} when the event is not usable, or `resend` names others than recipients
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
  await assertMailAllowed(environment, event, settings.recipients, 'merchant');
  return { event, registry, settings, day: resolveDay(event.day, clock.now(), settings.timeZone), end };
}

export function todayOf({ clock }: Dependencies, { settings: { timeZone, followFor } }: Run): LocalDate {
  return { today: dayAt(clock.now(), timeZone), timeZone, followFor };
}

/** Whether the run is a merchant's morning: the scheduled report of the day before. */
export function isMorning({ event, settings, day }: Run): boolean {
  const { scheduledTime, send, to, resend, dryRun } = event;
  if (typeof scheduledTime !== 'string' || !send || to !== undefined || resend !== false || dryRun)
    return false;
  const dayBefore = addDays(dayAt(Date.parse(scheduledTime), settings.timeZone), -1);
  return settings.followFor > 0 && day === dayBefore;
}

/** What is stored of a day before it is pulled. */
export interface KnownDay {
  newest: Manifest | undefined;
  /** The record of the last pull, `undefined` when it is not readable. */
  check: StandingCheck | undefined;
}

/** Reads what is stored of a day. A day without a revision seldom has a record, so that is not read. */
export async function readKnownDay(snapshots: DayStore, merchantCode: string, day: Day): Promise<KnownDay> {
  const page = merchantDay(merchantCode, day);
  const revision = await snapshots.newestNumber(page);
  if (revision === undefined) return { newest: undefined, check: NO_CHECK };
  const [newest, check] = await Promise.all([
    snapshots.revision({ ...page, revision }),
    snapshots.standingCheck(merchantCode, day),
  ]);
  return { newest, check };
}
