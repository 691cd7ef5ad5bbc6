import type { Day } from '#records/day/business-day.ts';
import { NO_CHECK } from '#records/revision/check-record.ts';
import type { StandingCheck } from '#records/revision/check-record.ts';
import type { Manifest } from '#records/revision/manifest.ts';
import { merchantDay } from '#records/storage/keys.ts';
import type { SnapshotStore } from '#page/snapshot-store.ts';

/** What is stored of a day before it is pulled. */
export interface KnownDay {
  /** The newest revision, `undefined` when the day has none. */
  newest: Manifest | undefined;
  /** The record of the last pull, `undefined` when it is not readable. */
  check: StandingCheck | undefined;
}

/** Reads what is stored of a day. A day without a revision seldom has a record, so that is not read. */
export async function readKnownDay(
  snapshots: SnapshotStore,
  merchantCode: string,
  day: Day,
): Promise<KnownDay> {
  const page = merchantDay(merchantCode, day);
  const revision = await snapshots.newestNumber(page);
  if (revision === undefined) return { newest: undefined, check: NO_CHECK };
  const [newest, check] = await Promise.all([
    snapshots.revision({ ...page, revision }),
    snapshots.standingCheck(merchantCode, day),
  ]);
  return { newest, check };
}
