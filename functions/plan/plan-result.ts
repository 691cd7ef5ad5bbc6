import { shownPath } from '#registry/problem.ts';
import type { Problem, Rejection } from '#registry/problem.ts';
import type { Registry } from '#registry/registry.ts';
import { serviceFaults } from '#registry/service-origin.ts';
import type { QueueMessage } from '#runtime/queue-message.ts';

export interface PlanNotice {
  path: string;
  message: string;
}

export interface Found {
  registry: Registry;
  alarm: string | null;
  unknown: readonly Problem[];
}

/** Notices of a plan: the last good registry in use, then what is wrong in the registry that is used. */
export function planNotices(
  { registry, alarm, unknown }: Found,
  serviceOrigins: readonly string[],
): PlanNotice[] {
  const faults = serviceFaults(registry.service, serviceOrigins);
  return [
    ...(alarm === null ? [] : [{ path: '(root)', message: alarm }]),
    ...faults.map(({ member, reason }) => ({
      path: `service.${member}`,
      message: `${reason}; no request is sent, and every report fails`,
    })),
    ...unknown.map(({ at, reason }) => ({ path: shownPath(at), message: reason })),
  ];
}

/** The answer of `plan` (docs/interfaces.md, 4.1 plan). */
export interface PlanResult {
  itemCount: number;
  sent: boolean;
  /** The items themselves. Left out when there are more than the answer may hold. */
  items?: readonly QueueMessage[];
  rejected: Rejection[];
  notices: PlanNotice[];
  /** Of statements and pages, due or not. Only of the kind `statement`. */
  lookedAt?: number;
}

const MOST_INLINE = 500;
/** Bytes. */
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

/** The answer of `plan`, short enough for a person whatever the registry's size. */
export function planResult(
  items: readonly QueueMessage[],
  sent: boolean,
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
    sent,
    ...(isSmall ? { items } : {}),
    rejected: rejections,
    notices: noted,
  };
}
