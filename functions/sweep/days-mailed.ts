import { addDays, dayAt } from '#domain/day/business-day.ts';
import type { Day } from '#domain/day/business-day.ts';
import { allMerchants } from '#domain/registry/merchants.ts';
import type { Registry } from '#domain/registry/registry.ts';

/** Days that are looked at whatever the registry says. */
const RECENT = 16;
/**
 * Days. A report goes out on the next day, zones differ by up to a day, and ledgers are looked at for two
 * more days.
 */
const SPREAD = 5;

/**
 * The days whose reports may have been mailed recently: the last days, and the lookback days of merchants.
 *
 * @param registry `undefined` when there is no usable one
 * @param now milliseconds UTC
 */
export function daysMailed(registry: Registry | undefined, now: number): Day[] {
  const merchants = registry === undefined ? [] : allMerchants(registry).merchants;
  const lookback = new Set(merchants.flatMap(({ lookbackDays }) => lookbackDays));
  const back = new Set(Array.from({ length: RECENT }, (_, days) => days));
  for (const days of lookback) for (let more = 0; more < SPREAD; more += 1) back.add(days + more);
  const first = addDays(dayAt(now, 'UTC'), 1);
  return [...back].map((days) => addDays(first, -days));
}
