import pLimit from 'p-limit';
import type { Day } from '#records/day/business-day.ts';
import { soFarUntil, dataFile } from '#records/revision/manifest.ts';
import { BreakdownTally } from '#records/figures/breakdown-tally.ts';
import { redactedBreakdown } from '#records/figures/breakdown.ts';
import { redactedColumns } from '#records/rows/redaction.ts';
import { SealedLineError, takeSealedRow } from '#records/rows/read-sealed-row.ts';
import type { MerchantSettings } from '#registry/registry-schema.ts';
import type { Manifest } from '#records/revision/manifest.ts';
import { pageSettings } from '#page/page-settings.ts';
import { merchantDay } from '#records/storage/keys.ts';
import { StoredObjectError, isUnreadableObject } from '#runtime/s3-objects.ts';
import type { SnapshotStore } from '#page/snapshot-store.ts';
import type { Dependencies } from '../dependencies.ts';

/** One page after another takes seconds for a month. */
const MOST_READS_AT_ONCE = 16;

export interface WantedPages {
  settings: MerchantSettings;
  days: readonly Day[];
  /**
   * The least revision, 0 when it was not sealed. `undefined`: nobody has looked, and the newest is listed.
   */
  seen: (day: Day) => number | undefined;
}

/**
 * The newest whole page of each sealed day. Unreadable ones are left out, and the log names their keys.
 * @throws {StoredObjectError} when every sealed page is unreadable
 */
export async function readPages(
  { snapshots, telemetry }: Pick<Dependencies, 'snapshots' | 'telemetry'>,
  { settings, days, seen }: WantedPages,
): Promise<Manifest[]> {
  const limit = pLimit(MOST_READS_AT_ONCE);
  const { merchantCode, timeZone } = settings;
  const unreadable: Error[] = [];
  const pages = await Promise.all(
    days.map((day) =>
      limit(async () => {
        const revision = seen(day);
        if (revision === 0) return [];
        try {
          const page =
            revision === undefined
              ? await snapshots.newest(merchantDay(merchantCode, day))
              : await snapshots.revision({ ...merchantDay(merchantCode, day), revision });
          if (page === undefined || soFarUntil(page, timeZone) !== null) return [];
          return [await withBreakdown(snapshots, settings, page)];
        } catch (error) {
          if (!isUnreadableObject(error)) throw error;
          telemetry.logError(error);
          unreadable.push(error);
          return [];
        }
      }),
    ),
  );
  const readable = pages.flat();
  if (readable.length === 0 && unreadable[0] !== undefined) throw unreadable[0];
  return readable;
}

/** The rows of an earlier version say the same, without what the registry redacts now. */
async function withBreakdown(
  snapshots: SnapshotStore,
  settings: MerchantSettings,
  page: Manifest,
): Promise<Manifest> {
  const columns = redactedColumns(settings.redact);
  if (page.breakdown !== null) {
    return columns.size === 0 ? page : { ...page, breakdown: redactedBreakdown(page.breakdown, columns) };
  }
  const tally = new BreakdownTally(pageSettings(page, settings));
  const file = dataFile(page, 'invoices', 'json');
  try {
    for await (const line of snapshots.lines(file)) {
      takeSealedRow(line, columns, (row) => tally.addSealed(row));
    }
  } catch (error) {
    if (error instanceof SealedLineError)
      throw new StoredObjectError(file.key, 'has a line that is not a row');
    throw error;
  }
  return { ...page, breakdown: tally.breakdown() };
}
