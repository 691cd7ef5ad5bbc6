import type { Members } from '#records/json/exact-json.ts';
import {
  NO_CHANGES,
  RowComparison,
  comparedInvoice,
  comparedRefund,
} from '#records/revision/changed-rows.ts';
import type { ChangedRows, ComparedRow } from '#records/revision/changed-rows.ts';
import { dataFile, type Manifest, type Table } from '#records/revision/manifest.ts';
import { SealedLineError } from '#records/rows/read-sealed-row.ts';
import type { PageSettings } from '#page/page-settings.ts';
import { takeRows } from '#page/sealed-rows.ts';
import type { DayStore } from '#page/day-store.ts';
import { isUnreadableObject } from '#runtime/s3-objects.ts';

type Reading = (row: Members) => ComparedRow | null;

function readingOf(table: Table, settings: PageSettings, day: string): Reading {
  return table === 'invoices'
    ? (row) => comparedInvoice(row, settings.invoiceStatuses)
    : (row) => comparedRefund(row, day, settings.refunds.statuses);
}

/** Whether it can never be read: after any other failure a later run may succeed. */
function isSpoilt(error: unknown): boolean {
  return isUnreadableObject(error) || error instanceof SealedLineError;
}

/** `null` when the earlier rows cannot be read, or are too many. */
async function comparedWith(
  snapshots: Pick<DayStore, 'lines'>,
  earlier: Manifest,
  table: Table,
  reading: Reading,
): Promise<RowComparison | null> {
  const file = dataFile(earlier, table, 'json');
  const comparison = new RowComparison(file.rows);
  if (comparison.isTooLarge) return null;
  try {
    // No column is left out: only columns that cannot be redacted are read.
    await takeRows(snapshots, file, [], (members) => {
      const row = reading(members);
      if (row !== null) comparison.addEarlier(row);
    });
  } catch (error) {
    if (!isSpoilt(error)) throw error;
    return null;
  }
  return comparison;
}

/** `null` when they cannot be compared. @param take gets each row of the later revision, too */
export async function changesOf(
  snapshots: Pick<DayStore, 'lines'>,
  settings: PageSettings,
  earlier: Manifest | undefined,
  later: Manifest,
  table: Table,
  take?: (row: Members) => void,
): Promise<ChangedRows | null> {
  const file = dataFile(later, table, 'json');
  if (earlier !== undefined && dataFile(earlier, table, 'json').sha256 === file.sha256) {
    if (take !== undefined) await takeRows(snapshots, file, settings.redact, take);
    return NO_CHANGES;
  }
  const reading = readingOf(table, settings, later.day);
  const comparison = earlier === undefined ? null : await comparedWith(snapshots, earlier, table, reading);
  if (comparison === null && take === undefined) return null;
  await takeRows(snapshots, file, settings.redact, (members) => {
    take?.(members);
    const row = comparison === null ? null : reading(members);
    if (row !== null) comparison?.addLater(row);
  });
  return comparison?.changes() ?? null;
}

/** The rows in which two revisions of a day differ. `null` when they cannot be compared. */
export async function changedRows(
  snapshots: Pick<DayStore, 'lines'>,
  settings: PageSettings,
  earlier: Manifest,
  later: Manifest,
): Promise<{ invoices: ChangedRows; refunds: ChangedRows } | null> {
  try {
    const invoices = await changesOf(snapshots, settings, earlier, later, 'invoices');
    const refunds = await changesOf(snapshots, settings, earlier, later, 'refunds');
    return invoices === null || refunds === null ? null : { invoices, refunds };
  } catch (error) {
    if (!isSpoilt(error)) throw error;
    return null;
  }
}
