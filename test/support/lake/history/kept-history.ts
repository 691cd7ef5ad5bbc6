import { createTable } from '#lib/lake/history/statements/create-table.ts';
import { mergeDays } from '#lib/lake/history/statements/merge-days.ts';
import { mergeRecords } from '#lib/lake/history/statements/merge-records.ts';
import { HISTORY_TABLES } from '#lib/lake/history/tables/index.ts';
import type { Slice } from '#lib/lake/history/slice.ts';
import type { TrinoLake } from '#sandbox/trino/index.ts';

/** Makes the tables of the history in a lake that has none. */
export async function makeHistory(lake: TrinoLake, bucket: string): Promise<void> {
  for (const table of HISTORY_TABLES) {
    const place = { database: lake.database, location: `s3://${bucket}/lake/${table.name}/` };
    await lake.run(createTable(table, place, 'trino'));
  }
}

/** A slice of one day. */
function sliceOf(day: string): Slice {
  return { days: `'${day}'`, from: day, to: day };
}

/** Brings the rows of days into the history, and not yet their figures: what a merge leaves that dies halfway. */
export async function mergeRowsOf(lake: TrinoLake, days: readonly string[]): Promise<void> {
  for (const day of days) {
    await lake.run(mergeRecords('invoices', sliceOf(day)));
    await lake.run(mergeRecords('refunds', sliceOf(day)));
  }
}

/** Brings days into the history, as the state machine does. */
export async function mergeHistory(lake: TrinoLake, days: readonly string[]): Promise<void> {
  await mergeRowsOf(lake, days);
  for (const day of days) await lake.run(mergeDays({ ...sliceOf(day), dataFrom: '2000-01-01' }));
}
