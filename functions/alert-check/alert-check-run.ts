import type { Context } from 'aws-lambda';
import { CLOCKS_DIFFER } from '#domain/alerts/future-times.ts';
import { readRules } from '#domain/alerts/rule.ts';
import type { ReadRules } from '#domain/alerts/rule.ts';
import { resolveDay } from '#domain/day/business-day.ts';
import type { Day } from '#domain/day/business-day.ts';
import { InvalidEventError } from '#domain/errors/invalid-event.ts';
import { merchantSettings } from '#domain/registry/merchants.ts';
import type { MerchantSettings, ServiceSettings } from '#domain/registry/registry-schema.ts';
import { remainingTime } from '#runtime/remaining-time.ts';
import { readAlertCheckEvent } from './alert-check-event.ts';
import type { AlertCheckEvent } from './alert-check-event.ts';
import type { Dependencies } from './dependencies.ts';

/** One invocation: what was asked, for whom, and until when. Times in milliseconds UTC. */
export interface Run extends ReadRules {
  event: AlertCheckEvent;
  service: ServiceSettings;
  settings: MerchantSettings;
  /** The merchant's day whose figures are read. */
  day: Day;
  /** The time that the check is made for: the event's, but never later than the clock's. */
  now: number;
  /** What the check is known by: the tick of the schedule, else `now`. */
  tick: number;
  /** When the function ends. */
  end: number;
}

/**
 * @throws {InvalidEventError} when the event is malformed, or of a tick that has not come
 * @throws {InvalidDayError} when its day is none, or has not begun yet
 * @throws {UnknownMerchantError} when the registry has no such merchant
 * @throws {InvalidMerchantError} when its entry is not usable
 */
export async function prepareRun(
  { clock, registry: source }: Dependencies,
  input: unknown,
  context: Context | undefined,
): Promise<Run> {
  const event = readAlertCheckEvent(input);
  const end = clock.now() + remainingTime(context);
  const { registry } = await source.load();
  const settings = merchantSettings(registry, event.merchantCode);
  const clockTime = clock.now();
  // A check of the future would count, and every check until then would be an earlier one, which does not.
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
    ...readRules(settings.alerts),
  };
}
