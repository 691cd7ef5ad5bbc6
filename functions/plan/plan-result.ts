import type { Rejection } from '../shared/core/registry.ts';
import type { PlanItem } from '../shared/ports.ts';

/** The answer of `plan` (`interfaces.md`, Events). */
export interface PlanResult {
  itemCount: number;
  /** Where the items stand as a JSON array, `null` when there are none. */
  itemsKey: string | null;
  /** The items themselves; left out where there are more than the answer may hold. */
  items?: PlanItem[];
  rejected: Rejection[];
}

const MOST_INLINE = 500;
/** A state machine hands on 256 KiB at most. The rest of the answer, and names beyond ASCII, need room, too. */
const LARGEST_INLINE = 128 * 1024;
const MOST_REJECTED = 500;

/** The answer, short enough for a state machine whatever the size of the registry. */
export function planResult(
  items: PlanItem[],
  itemsKey: string | null,
  rejected: readonly Rejection[],
): PlanResult {
  const more = rejected.length - MOST_REJECTED;
  const listed = rejected.slice(0, MOST_REJECTED);
  if (more > 0) listed.push({ path: 'merchants', reason: `and ${more} more that are not listed here` });
  const isSmall = items.length <= MOST_INLINE && JSON.stringify(items).length <= LARGEST_INLINE;
  return { itemCount: items.length, itemsKey, ...(isSmall ? { items } : {}), rejected: listed };
}
