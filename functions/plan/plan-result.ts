import type { Rejection } from '#registry/problem.ts';
import type { PlannedChildren } from './plan-children.ts';
import type { PlanNotice } from './plan-notices.ts';
import type { AnyItem } from './plan-item.ts';

/** The answer of `plan` (docs/interfaces.md, 4.1 plan). With `run` in the event, it says which items share children. */
export interface PlanResult extends Partial<PlannedChildren> {
  itemCount: number;
  /** Key of the items as a JSON array, `null` when there are no items. */
  itemsKey: string | null;
  /** The items themselves. Left out when there are more than the answer may hold. */
  items?: AnyItem[];
  rejected: Rejection[];
  notices: PlanNotice[];
  /** Of statements and pages, due or not. Only of the kind `statement`. */
  lookedAt?: number;
  /** With `of` in the event: the percentage of the items that still fail. */
  failedPercentage?: number;
}

const MOST_INLINE = 500;
/** Bytes. A state machine passes on 256 KiB at most, with the rest of the answer. */
const LARGEST_INLINE = 128 * 1024;
const MOST_REJECTED = 500;
/** Bytes. A path or a reason may have any length. */
const LARGEST_REJECTED = 64 * 1024;
const MOST_NOTICES = 100;
const LARGEST_NOTICES = 32 * 1024;

/** As many entries of a list as fit, and the number of the others. */
function listed<Entry>(entries: readonly Entry[], most: number, largest: number): [Entry[], number] {
  const fitting: Entry[] = [];
  let bytes = 0;
  for (const entry of entries) {
    bytes += Buffer.byteLength(JSON.stringify(entry));
    if (fitting.length === most || bytes > largest) break;
    fitting.push(entry);
  }
  return [fitting, entries.length - fitting.length];
}

function others(count: number): string {
  return `and ${count} more that are not listed here`;
}

/** The answer of `plan`, short enough for a state machine whatever the registry's size. */
export function planResult(
  items: AnyItem[],
  itemsKey: string | null,
  rejected: readonly Rejection[],
  notices: readonly PlanNotice[],
): PlanResult {
  const [rejections, moreRejections] = listed(rejected, MOST_REJECTED, LARGEST_REJECTED);
  const [noted, moreNotices] = listed(notices, MOST_NOTICES, LARGEST_NOTICES);
  if (moreRejections > 0) rejections.push({ path: 'merchants', reason: others(moreRejections) });
  if (moreNotices > 0) noted.push({ path: '(root)', message: others(moreNotices) });
  const isSmall = items.length <= MOST_INLINE && JSON.stringify(items).length <= LARGEST_INLINE;
  return {
    itemCount: items.length,
    itemsKey,
    ...(isSmall ? { items } : {}),
    rejected: rejections,
    notices: noted,
  };
}
