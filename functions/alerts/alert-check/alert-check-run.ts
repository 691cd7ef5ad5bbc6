import { CLOCKS_DIFFER } from '#records/ledger/alert-state.ts';
import { readRules } from '#registry/alert-rules.ts';
import type { ReadRules } from '#registry/alert-rules.ts';
import { resolveDay } from '#records/day/business-day.ts';
import type { Day } from '#records/day/business-day.ts';
import { InvalidEventError, readEvent } from '#records/errors/invalid-event.ts';
import { merchantSettings } from '#registry/merchants.ts';
import type { MerchantSettings, ServiceSettings } from '#registry/registry-schema.ts';
import type { Registry } from '#registry/registry.ts';
import { MERCHANT_CODE } from '#records/storage/keys.ts';
import type { Clock } from '#runtime/clock.ts';
import * as z from 'zod';
import { CHECK_NAME } from './mail-check.ts';

const instant = z.lazy(() => z.iso.datetime({ offset: true }));

export const alertCheckEventSchema = z.lazy(() =>
  z.strictObject({
    merchantCode: z.string().regex(MERCHANT_CODE, 'must be letters, digits and "-", 64 at most'),
    day: z.string().default('today'),
    now: instant.nullish(),
    scheduledTime: instant.nullish(),
    dryRun: z.boolean().default(false),
    /** Sends this earlier check's mail again, and checks nothing. */
    resend: z.string().regex(CHECK_NAME, 'must be the name of a check').nullish(),
  }),
);

/** Without members: today, the time of the clock, no dry run, nothing sent again. */
export type AlertCheckEvent = z.infer<typeof alertCheckEventSchema>;

/** @throws {InvalidEventError} that names the member that is malformed or unknown */
export function readAlertCheckEvent(event: unknown): AlertCheckEvent {
  return readEvent(alertCheckEventSchema, event);
}

export interface Invocation {
  registry: () => Promise<Registry>;
  /** Milliseconds UTC by which the invocation ends. */
  end: number;
  /** Other checks run side by side with each one. */
  isBatch: boolean;
}

export interface Run extends ReadRules, Pick<Invocation, 'end' | 'isBatch'> {
  event: AlertCheckEvent;
  service: ServiceSettings;
  settings: MerchantSettings;
  day: Day;
  /** Milliseconds UTC, never later than the clock's. */
  now: number;
  /** Milliseconds UTC: the tick of the schedule, or `now` without one. */
  tick: number;
}

/**
 * Reads the registry and the rules first.
 * @throws {InvalidEventError} when the event is for a tick in the future
 * @throws {InvalidDayError} when its day is not a date, or has not begun yet
 * @throws {UnknownMerchantError} when the registry has no such merchant
 * @throws {InvalidMerchantError} when the merchant's entry is not usable
 */
export async function prepareRun(
  clock: Clock,
  event: AlertCheckEvent,
  { registry: load, end, isBatch }: Invocation,
): Promise<Run> {
  const registry = await load();
  const settings = merchantSettings(registry, event.merchantCode);
  const clockTime = clock.now();
  // A check in the future would keep every check until that time from counting.
  const now = typeof event.now === 'string' ? Math.min(Date.parse(event.now), clockTime) : clockTime;
  const tick = typeof event.scheduledTime === 'string' ? Date.parse(event.scheduledTime) : now;
  if (tick > clockTime + CLOCKS_DIFFER) throw new InvalidEventError('scheduledTime', 'has not come yet');
  return {
    event,
    service: registry.service,
    settings,
    day: resolveDay(event.day, now, settings.timeZone),
    now,
    tick,
    end,
    isBatch,
    ...readRules(settings.alerts),
  };
}
