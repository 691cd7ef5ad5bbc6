import { dataFile } from '#domain/revision/manifest.ts';
import type { Manifest, Table } from '#domain/revision/manifest.ts';
import { RowComparison } from '#domain/revision/changed-rows.ts';
import { comparedInvoice, comparedRefund } from '#domain/revision/compared-row.ts';
import type { ComparedRow } from '#domain/revision/compared-row.ts';
import type { Members } from '#domain/json/exact-json.ts';
import { SealedLineError, takeSealedRow } from '#domain/records/sealed-row.ts';
import type { PageSettings } from '#domain/revision/page-settings.ts';
import { isUnreadableObject } from '#aws/unreadable-object.ts';
import type { SnapshotStore } from '#snapshots/snapshot-store.ts';

/** No column is left out: only columns that cannot be redacted are read. */
const ALL_COLUMNS: ReadonlySet<string> = new Set();

/** What a mail shows of a row of one table, `null` for a row of other days. */
type Reading = (row: Members) => ComparedRow | null;

/** How the rows of a table are compared: with the page's names and day. */
export function readingOf(table: Table, settings: PageSettings, day: string): Reading {
  return table === 'invoices'
    ? (row) => comparedInvoice(row, settings.invoiceStatuses)
    : (row) => comparedRefund(row, day, settings.refunds.statuses);
}

/** Whether a sealed object can never be read. A later run may succeed after any other failure. */
function isSpoilt(error: unknown): boolean {
  return isUnreadableObject(error) || error instanceof SealedLineError;
}

/**
 * The comparison with the rows of an earlier revision, which has read those rows.
 *
 * @returns `null` when they cannot be read, or are too many to compare
 */
export async function comparedWith(
  snapshots: SnapshotStore,
  earlier: Manifest,
  table: Table,
  reading: Reading,
): Promise<RowComparison | null> {
  const file = dataFile(earlier, table, 'json');
  const comparison = new RowComparison(file.rows);
  if (comparison.isTooLarge) return null;
  try {
    for await (const line of snapshots.lines(file)) {
      takeSealedRow(line, ALL_COLUMNS, (members) => {
        const row = reading(members);
        if (row !== null) comparison.addEarlier(row);
      });
    }
  } catch (error) {
    if (!isSpoilt(error)) throw error;
    return null;
  }
  return comparison;
}
