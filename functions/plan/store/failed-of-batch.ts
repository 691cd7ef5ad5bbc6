import * as z from 'zod';
import type { AnyItem } from './plan-store.ts';

/** The cause of a child whose calls failed: `2 of 5 failed: ["700001 2026-11-20: ServerError", …]`. */
const CAUSE = /^(\d+) of \d+ failed: (\[.*\])$/s;
/** A call that failed: the merchant, mostly the day, and the name of the error. */
const CALL = /^([A-Za-z0-9-]{1,64})(?: (\d{4}-\d\d-\d\d))?: \w[\w.]*$/;

const callsSchema = z.lazy(() => z.array(z.string().regex(CALL)).min(1));

function callsIn(cause: string): string[] | undefined {
  const [, count, list = ''] = CAUSE.exec(cause) ?? [];
  try {
    const { data } = callsSchema.safeParse(JSON.parse(list));
    return data?.length === Number(count) ? data : undefined;
  } catch {
    return undefined;
  }
}

function hasCall(item: AnyItem, call: string): boolean {
  const [, merchantCode, day] = CALL.exec(call) ?? [];
  if (!('days' in item) || item.merchantCode !== merchantCode) return false;
  return day === undefined || item.days.includes(day);
}

/**
 * The items of a failed batch that did not succeed. Its cause names the calls that failed. If it says anything else, as when
 * Step Functions ended the batch, or names a call that is of none of the items, nothing is known of the batch: then all of
 * them count as failed.
 */
export function failedOfBatch(items: AnyItem[], cause = ''): readonly AnyItem[] {
  if (items.length === 1) return items;
  const calls = callsIn(cause);
  if (calls === undefined) return items;
  const failed = items.filter((item) => calls.some((call) => hasCall(item, call)));
  const isKnown = calls.every((call) => failed.some((item) => hasCall(item, call)));
  return isKnown ? failed : items;
}
