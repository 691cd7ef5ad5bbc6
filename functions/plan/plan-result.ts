import type { Rejection } from '#domain/registry/merchants.ts';
import type { PlanItem } from '#domain/plan/plan-item.ts';

/** The answer of `plan` (docs/interfaces.md, 4.1 plan). */
export interface PlanResult {
  itemCount: number;
  /** Key of the items as a JSON array, `null` when there are no items. */
  itemsKey: string | null;
  /** The items themselves. Left out when there are more than the answer may hold. */
  items?: PlanItem[];
  rejected: Rejection[];
  /** With `of` in the event: the percentage of the items that still fail. */
  failedPercentage?: number;
}

const MOST_INLINE = 500;
/**
 * Bytes. A state machine passes on 256 KiB at most. The rest of the answer and names beyond ASCII need room
 * too.
 */
const LARGEST_INLINE = 128 * 1024;
const MOST_REJECTED = 500;
/** Bytes. A path may quote a name from the registry, which may have any length. */
const LARGEST_REJECTED = 64 * 1024;

/** As many rejections as fit, and an entry with the number of the others. */
function listedRejections(rejected: readonly Rejection[]): Rejection[] {
  const listed: Rejection[] = [];
  let bytes = 0;
  for (const rejection of rejected) {
    bytes += Buffer.byteLength(JSON.stringify(rejection));
    if (listed.length === MOST_REJECTED || bytes > LARGEST_REJECTED) break;
    listed.push(rejection);
  }
  const more = rejected.length - listed.length;
  if (more > 0) listed.push({ path: 'merchants', reason: `and ${more} more that are not listed here` });
  return listed;
}

/** The answer. It is short enough for a state machine, whatever the size of the registry. */
export function planResult(
  items: PlanItem[],
  itemsKey: string | null,
  rejected: readonly Rejection[],
): PlanResult {
  const listed = listedRejections(rejected);
  const isSmall = items.length <= MOST_INLINE && JSON.stringify(items).length <= LARGEST_INLINE;
  return { itemCount: items.length, itemsKey, ...(isSmall ? { items } : {}), rejected: listed };
}
