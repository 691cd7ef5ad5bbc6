import { createHash } from 'node:crypto';
import type { Athena } from './athena.ts';
import { DAYS_HISTORY, VIEW_HISTORIES } from './sql/history-tables.ts';
import type { HistoryTable } from './sql/history-tables.ts';
import { askForMerged } from './sql/statements/notes.ts';
import { addColumn } from './sql/statements/tables.ts';

/** The note that the tables of the history have the columns of this version. */
export const HAS_COLUMNS = `columns ${createHash('sha256')
  .update(
    JSON.stringify(VIEW_HISTORIES.map(({ name, columns }) => [name, columns.map((column) => column.name)])),
  )
  .digest('hex')
  .slice(0, 16)}`;

/** A statement for each column that a table of an earlier version lacks. */
async function additions(athena: Athena, table: HistoryTable): Promise<string[]> {
  const row = await athena.row(`Look at the columns of ${table.name}`, `SELECT * FROM ${table.name} LIMIT 0`);
  const missing = table.columns.filter(({ name }) => !Object.hasOwn(row, name));
  return missing.map((column) => addColumn(table, column, 'athena'));
}

/**
 * Gives tables of an earlier version the columns of this one. What comes first makes their rows be written anew; a run that dies before the
 * last column is repeated.
 * @param empty statements
 * @returns whether a column was missing
 */
export async function addColumns(
  athena: Athena,
  tables: readonly HistoryTable[],
  empty: readonly string[],
): Promise<boolean> {
  const statements: string[] = [];
  for (const table of tables) statements.push(...(await additions(athena, table)));
  if (statements.length === 0) return false;
  for (const sql of [...empty, ...statements]) await athena.run('Upgrade the tables', sql);
  return true;
}

/**
 * Upgrades the history. All merged days are merged again: until then the views read them from the JSON files. Days whose files are
 * gone stay as they are, with nulls.
 * @param now ISO 8601 @param dataFrom pulls before this day have no files any more
 * @returns whether a column was missing
 */
export function upgradeHistory(athena: Athena, now: string, dataFrom: string): Promise<boolean> {
  return addColumns(athena, VIEW_HISTORIES, [
    askForMerged(now),
    // A merge leaves the rows of a page alone whose figures are there.
    `DELETE FROM ${DAYS_HISTORY.name} WHERE pulled_at >= TIMESTAMP '${dataFrom} 00:00:00'`,
  ]);
}
