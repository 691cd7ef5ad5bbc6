import { MORE_RUNS } from './athena.ts';
import type { Athena } from './athena.ts';
import type { LakeSettings } from './lake-settings.ts';
import { groupTables } from './sql/groups.ts';
import type { LakeGroup } from './sql/groups.ts';
import {
  DAYS_HISTORY,
  HISTORY_MERGES,
  INVOICES_HISTORY,
  MAIL_HISTORY,
  REFUNDS_HISTORY,
  VIEW_HISTORIES,
} from './sql/history-tables.ts';
import type { HistoryTable } from './sql/history-tables.ts';
import { deleteOldDays, deleteOldMail, deleteOldMerges, deleteOldRows } from './sql/statements/retention.ts';
import { optimize, vacuum } from './sql/statements/tables.ts';

type Retention = LakeSettings['retention'];

type Deletion = readonly [HistoryTable, string];

/** Rows first, then figures: the figures say when the rows have to go. */
function deletePages(
  { invoices, refunds, days }: Record<'invoices' | 'refunds' | 'days', HistoryTable>,
  { dataDays, manifestDays }: Retention,
): Deletion[] {
  return [
    [invoices, deleteOldRows(invoices, days, { kept: dataDays })],
    [refunds, deleteOldRows(refunds, days, { kept: dataDays })],
    [days, deleteOldDays({ invoices, refunds, days }, { kept: manifestDays })],
  ];
}

/**
 * The statements that delete what is too old, in their order. A run may die between any two of them: the next one goes on.
 * @param database of the lake; @param groups who have copies
 */
export function deletions(retention: Retention, database: string, groups: readonly LakeGroup[]): Deletion[] {
  const { ledgerDays } = retention;
  const history = { invoices: INVOICES_HISTORY, refunds: REFUNDS_HISTORY, days: DAYS_HISTORY };
  return [
    ...deletePages(history, retention),
    [MAIL_HISTORY, deleteOldMail(MAIL_HISTORY, { kept: ledgerDays })],
    [HISTORY_MERGES, deleteOldMerges(HISTORY_MERGES, VIEW_HISTORIES, { kept: ledgerDays })],
    ...groups.flatMap((group) => deletePages(groupTables(database, group), retention)),
  ];
}

/** What the weekly work does with a table: deletes what is too old, then joins small files, then removes old snapshots. */
export function maintenanceOf([table, deletion]: Deletion): ((athena: Athena) => Promise<string>)[] {
  const { name } = table;
  return [
    (athena) => athena.run(`Delete old days of ${name}`, deletion),
    (athena) => athena.run(`Join the files of ${name}`, optimize(table, 'athena'), MORE_RUNS),
    (athena) => athena.run(`Remove old snapshots of ${name}`, vacuum(table, 'athena'), MORE_RUNS),
  ];
}

/**
 * Joins the files of the months that a day's merges add to. A month stays at a few files, whatever is merged.
 * @param from the first day of the first of these months, `YYYY-MM-DD`
 */
export async function joinNewFiles(athena: Athena, { name }: HistoryTable, from: string): Promise<void> {
  await athena.run(`Join the new files of ${name}`, optimize({ name }, 'athena', from), MORE_RUNS);
}
