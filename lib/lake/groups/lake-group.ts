import type { HistoryTable } from '../history/history-table.ts';
import { DAYS_HISTORY } from '../history/tables/days.ts';
import { INVOICES_HISTORY } from '../history/tables/invoices.ts';
import { REFUNDS_HISTORY } from '../history/tables/refunds.ts';
import type { AnswerFolder } from '../access/answers.ts';
import { lakeWorkGroup } from '../lake-database.ts';

/** People who may see some merchants only, or no customers' data. They query their own copy of the history. */
export interface LakeGroup {
  /** Small letters, digits and `_`. */
  name: string;
  /** Codes, or every merchant. */
  merchants: readonly string[] | 'all';
  /** Whether the copy has the columns with customers' data. */
  personal: boolean;
}

/**
 * A table of a group's copy, with the columns that the group may see. Its name has the group's database before it, so the statements of
 * the history's tables are also valid for it.
 */
export interface GroupTable extends HistoryTable {
  /** The name within the group's database. */
  short: string;
  /** The table that it is copied from. */
  history: HistoryTable;
  /** The beginning of its objects' keys. */
  prefix: string;
}

/** The tables of a group's copy. */
export type GroupTables = Record<'invoices' | 'refunds' | 'days', GroupTable>;

/** The database of a group. @param databaseName of the lake */
export function groupDatabase(databaseName: string, { name }: LakeGroup): string {
  return `${databaseName}_${name}`;
}

/** The name of a group in names of resources and outputs, such as `GroupNorthEast`. */
export function groupResource({ name }: LakeGroup): string {
  const words = name.split('_').map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`);
  return `Group${words.join('')}`;
}

/** The workgroup of a group. @param databaseName of the lake */
export function groupWorkGroup(databaseName: string, group: LakeGroup): string {
  return lakeWorkGroup(groupDatabase(databaseName, group));
}

/** The beginning of the keys of a group's copy, in the data bucket. */
export function groupPrefix({ name }: LakeGroup): string {
  return `lake/group=${name}/`;
}

/** The folder of a group's answers, in the bucket of query results. */
export function groupAnswers({ name }: LakeGroup): AnswerFolder {
  return `groups/${name}/`;
}

/** The tables of a group's copy. @param databaseName of the lake */
export function groupTables(databaseName: string, group: LakeGroup): GroupTables {
  const copy = (short: string, history: HistoryTable): GroupTable => ({
    ...history,
    name: `${groupDatabase(databaseName, group)}.${short}`,
    short,
    columns: history.columns.filter(({ personal = false }) => group.personal || !personal),
    history,
    prefix: `${groupPrefix(group)}${short}/`,
  });
  return {
    invoices: copy('invoices', INVOICES_HISTORY),
    refunds: copy('refunds', REFUNDS_HISTORY),
    days: copy('days', DAYS_HISTORY),
  };
}

/** SQL for "is a row of one of the group's merchants". */
export function isOfGroup(column: string, { merchants }: LakeGroup): string {
  if (merchants === 'all') return 'TRUE';
  // The settings admit letters, digits and "-" only: there is nothing to escape.
  return `${column} IN (${merchants.map((code) => `'${code}'`).join(', ')})`;
}
