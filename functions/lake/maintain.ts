import { MORE_RUNS } from './athena.ts';
import type { Athena } from './athena.ts';
import type { LakeSettings } from './lake-settings.ts';
import { groupTables } from './sql/groups.ts';
import type { LakeGroup } from './sql/groups.ts';
import {
  DAYS_HISTORY,
  HISTORY_MERGES,
  MAIL_HISTORY,
  RECORD_HISTORIES,
  VIEW_HISTORIES,
} from './sql/history-tables.ts';
import type { HistoryTable } from './sql/history-tables.ts';
import { deleteOldMail, deleteOldMerges, deleteOldPages } from './sql/statements/retention.ts';
import { optimize, vacuum } from './sql/statements/tables.ts';

type Retention = LakeSettings['retention'];

type Deletion = readonly [HistoryTable, string];

/** Rows first, then figures: the figures say when the rows have to go. */
function deletePages(
  { invoices, refunds, days }: Record<'invoices' | 'refunds' | 'days', HistoryTable>,
  { dataDays, manifestDays }: Retention,
): Deletion[] {
  return [
    [invoices, deleteOldPages(invoices, days, dataDays)],
    [refunds, deleteOldPages(refunds, days, dataDays)],
    [days, deleteOldPages(days, days, manifestDays, [invoices, refunds])],
  ];
}

/**
 * The statements that delete what is too old, in their order. A run may die between any two of them: the next one goes on.
 * @param database of the lake; @param groups who have copies
 */
export function deletions(retention: Retention, database: string, groups: readonly LakeGroup[]): Deletion[] {
  const { ledgerDays } = retention;
  return [
    ...deletePages({ ...RECORD_HISTORIES, days: DAYS_HISTORY }, retention),
    [MAIL_HISTORY, deleteOldMail(MAIL_HISTORY, ledgerDays)],
    [HISTORY_MERGES, deleteOldMerges(HISTORY_MERGES, VIEW_HISTORIES, ledgerDays)],
    ...groups.flatMap((group) => deletePages(groupTables(database, group), retention)),
  ];
}

/** What the weekly work does with a table: deletes what is too old, then joins small files, then removes old snapshots. */
export function maintenanceOf([table, deletion]: Deletion): ((athena: Athena) => Promise<string>)[] {
  const { name } = table;
  return [
    (athena) => athena.run(`Delete old days of ${name}`, deletion),
    (athena) => athena.run(`Join the files of ${name}`, optimize(table), MORE_RUNS),
    (athena) => athena.run(`Remove old snapshots of ${name}`, vacuum(table), MORE_RUNS),
  ];
}
