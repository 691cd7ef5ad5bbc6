import type { Day } from '#records/day/business-day.ts';
import { createTable, optimize } from '#lib/lake/history/statements/tables.ts';
import { mergeDays, mergeRecords } from '#lib/lake/history/statements/merge.ts';
import { noteDaysMerged } from '#lib/lake/history/statements/notes.ts';
import { viewStatement } from '#lib/lake/history/statements/views.ts';
import { DAYS_HISTORY, HISTORY_TABLES, INVOICES_HISTORY, REFUNDS_HISTORY } from '#lib/lake/history/tables.ts';
import { ALL_DAYS, ALL_INVOICES, ALL_REFUNDS } from '#lib/lake/views/all.ts';
import type { MeasuredLake } from './measured-lake.ts';
import { BUCKET } from './world.ts';

/** A statement with a name for the tables. */
export interface NamedStatement {
  name: string;
  sql: string;
}

/** Every file is still there. */
const DATA_FROM = '2025-01-01';

function sliceOf(days: readonly Day[]) {
  const inOrder = days.toSorted();
  return {
    days: inOrder.map((day) => `'${day}'`).join(','),
    from: inOrder[0] ?? '',
    to: inOrder.at(-1) ?? '',
  };
}

/** The merge of these days, in the order of the state machine. No mail is sent in the bench. */
export function mergeStatements(days: readonly Day[]): NamedStatement[] {
  const slice = sliceOf(days);
  return [
    { name: 'invoices', sql: mergeRecords('invoices', slice) },
    { name: 'refunds', sql: mergeRecords('refunds', slice) },
    { name: 'days', sql: mergeDays({ ...slice, dataFrom: DATA_FROM }) },
    { name: 'note', sql: noteDaysMerged({ ...slice, mergedAt: `${slice.to}T23:59:59.000Z` }) },
  ];
}

/** OPTIMIZE of the months of these days. */
export function optimizeStatements(days: readonly Day[]): NamedStatement[] {
  const month = `${days.toSorted()[0]?.slice(0, 7) ?? ''}-01`;
  return [INVOICES_HISTORY, REFUNDS_HISTORY, DAYS_HISTORY].map((table) => ({
    name: `optimize ${table.name.replace('_history', '')}`,
    sql: optimize(table, 'trino', month),
  }));
}

/** Makes the tables of the history. */
export async function createHistory({ run, database }: MeasuredLake): Promise<void> {
  for (const table of HISTORY_TABLES) {
    await run(createTable(table, { database, location: `s3://${BUCKET}/lake/${table.name}/` }, 'trino'));
  }
}

/** Points the views for people at the history of these days. */
export async function showMerged({ run }: MeasuredLake, days: readonly Day[]): Promise<void> {
  const { from, to } = sliceOf(days);
  for (const view of [ALL_INVOICES, ALL_REFUNDS, ALL_DAYS]) {
    await run(viewStatement(view, { merged: `day BETWEEN '${from}' AND '${to}'` }));
  }
}
