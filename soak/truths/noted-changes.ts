import { MARKER_SPAN, changeMarkerSchema } from '#domain/changes/change-marker.ts';
import type { ChangeOfADay } from '#domain/changes/change-marker.ts';
import {
  CHANGES,
  dayInKey,
  isLedgerKey,
  manifestInKey,
  manifestKey,
  merchantInKey,
} from '#domain/storage/keys.ts';
import type { BrokenPromise } from './broken-promise.ts';
import { jsonOf } from './evidence.ts';
import type { Evidence } from './evidence.ts';

/** What the history of the lake must be told of when an object is written, and the day; `undefined` for most keys. */
export function changeOf(key: string): { what: ChangeOfADay; day: string } | undefined {
  const day = dayInKey(key);
  if (day === undefined) return undefined;
  if (manifestInKey(key) !== undefined) return { what: 'days', day };
  return isLedgerKey(key) ? { what: 'mail', day } : undefined;
}

/**
 * Every manifest and every ledger of a report has a change marker from the time when it was written, or later. A
 * manifest is written after `pulledAt`, a ledger not before `intendedAt`.
 */
export function notedChanges({ objects, days, ledgers }: Evidence): BrokenPromise[] {
  const noted = new Map<string, number>();
  for (const [key, body] of objects) {
    if (!key.startsWith(CHANGES)) continue;
    const marker = changeMarkerSchema.safeParse(jsonOf(body)).data;
    if (marker === undefined) continue;
    const name = `${marker.what} ${marker.day}`;
    const end = Date.parse(marker.notedAt) + MARKER_SPAN;
    noted.set(name, Math.max(noted.get(name) ?? 0, end));
  }
  const written = new Map<string, string>();
  for (const { day, merchantCode, revision, pulledAt } of [...days.values()].flat()) {
    written.set(manifestKey(day, merchantCode, revision), pulledAt);
  }
  for (const [key, { intendedAt }] of ledgers) written.set(key, intendedAt);
  return [...written].flatMap(([key, at]): BrokenPromise[] => {
    const change = changeOf(key);
    if (change === undefined) return [];
    if ((noted.get(`${change.what} ${change.day}`) ?? 0) > Date.parse(at)) return [];
    return [
      {
        merchantCode: merchantInKey(key),
        day: change.day,
        what: `${key} was written without a change marker`,
      },
    ];
  });
}
