import pLimit from 'p-limit';
import type { Day } from '#domain/day/business-day.ts';
import { soFarUntil } from '#domain/day/so-far.ts';
import { BreakdownTally } from '#domain/figures/breakdown-tally.ts';
import { redactedBreakdown } from '#domain/figures/redacted-breakdown.ts';
import { redactedColumns } from '#domain/records/redaction.ts';
import { takeSealedRow } from '#domain/records/sealed-row.ts';
import type { MerchantSettings } from '#domain/registry/registry-schema.ts';
import { dataFile } from '#domain/revision/manifest.ts';
import type { Manifest } from '#domain/revision/manifest.ts';
import type { SnapshotStore } from '#snapshots/snapshot-store.ts';

/** Reading one page after another takes seconds for a month, and S3 answers many readers at the same time. */
const MOST_READS_AT_ONCE = 16;

/** The days to read, and what is known of their revisions. */
export interface WantedPages {
  settings: MerchantSettings;
  days: readonly Day[];
  /**
   * The least revision of a day, as somebody has seen it: 0 for a day that was not sealed. `undefined`: nobody has looked,
   * and the newest revision is listed.
   */
  seen: (day: Day) => number | undefined;
}

/**
 * The newest whole page of each day, as far as it is sealed. A page that ends before its day was over is not one of them.
 *
 * @throws {StoredObjectError} when a page cannot be read
 */
export async function readPages(
  snapshots: SnapshotStore,
  { settings, days, seen }: WantedPages,
): Promise<Manifest[]> {
  const limit = pLimit(MOST_READS_AT_ONCE);
  const { merchantCode, timeZone } = settings;
  const pages = await Promise.all(
    days.map((day) =>
      limit(async () => {
        const revision = seen(day);
        if (revision === 0) return [];
        const page =
          revision === undefined
            ? await snapshots.newest(merchantCode, day)
            : await snapshots.revision(merchantCode, day, revision);
        if (page === undefined || soFarUntil(page, timeZone) !== null) return [];
        return [await withBreakdown(snapshots, settings, page)];
      }),
    ),
  );
  return pages.flat();
}

/**
 * A page of an earlier version has no breakdown. Its rows say the same. What the registry redacts now does not count, although
 * the page has it.
 */
async function withBreakdown(
  snapshots: SnapshotStore,
  settings: MerchantSettings,
  page: Manifest,
): Promise<Manifest> {
  const columns = redactedColumns(settings.redact);
  if (page.breakdown !== null) {
    return columns.size === 0 ? page : { ...page, breakdown: redactedBreakdown(page.breakdown, columns) };
  }
  const tally = new BreakdownTally(settings);
  for await (const line of snapshots.lines(dataFile(page, 'invoices', 'json'))) {
    takeSealedRow(line, columns, (row) => tally.addSealed(row));
  }
  return { ...page, breakdown: tally.breakdown() };
}
