import { createHash } from 'node:crypto';
import type { Athena } from './athena.ts';
import { DAYS_HISTORY, VIEW_HISTORIES } from './sql/history-tables.ts';
import type { HistoryTable } from './sql/history-tables.ts';
import { askForMerged } from './sql/statements/notes.ts';
import { quotedText } from './sql/quoting.ts';
import { addColumn, dropColumn } from './sql/statements/tables.ts';

/** The note that the tables of the history have the columns of this version. */
export const HAS_COLUMNS = `columns ${createHash('sha256')
  .update(
    JSON.stringify(VIEW_HISTORIES.map(({ name, columns }) => [name, columns.map((column) => column.name)])),
  )
  .digest('hex')
  .slice(0, 16)}`;

async function columnsOf(athena: Athena, { name }: HistoryTable): Promise<string[]> {
  return Object.keys(await athena.row(`Look at the columns of ${name}`, `SELECT * FROM ${name} LIMIT 0`));
}

/** A statement for each column that a table of an earlier version lacks. */
function additions(table: HistoryTable, known: readonly string[]): string[] {
  const missing = table.columns.filter(({ name }) => !known.includes(name));
  return missing.map((column) => addColumn(table, column));
}

async function runAll(athena: Athena, statements: readonly string[]): Promise<void> {
  for (const sql of statements) await athena.run('Upgrade the tables', sql);
}

/**
 * Gives the history's tables of an earlier version the columns of this one. All merged days are merged again: until then the views
 * read them from the JSON files. Days whose files are gone stay as they are, with nulls. A run that dies before the last column is
 * repeated.
 * @param now ISO 8601 @param dataFrom pulls before this day have no files any more
 * @returns whether a column was missing
 */
export async function upgradeHistory(athena: Athena, now: string, dataFrom: string): Promise<boolean> {
  const missing: string[] = [];
  for (const table of VIEW_HISTORIES) missing.push(...additions(table, await columnsOf(athena, table)));
  if (missing.length === 0) return false;
  await runAll(athena, [
    askForMerged(now),
    // A merge leaves the rows of a page alone whose figures are there.
    `DELETE FROM ${DAYS_HISTORY.name} WHERE pulled_at >= TIMESTAMP ${quotedText(`${dataFrom} 00:00:00`)}`,
    ...missing,
  ]);
  return true;
}

/**
 * Gives a group's tables the columns that the group may see now, and no others. Then they are empty, and all pages are copied again: they
 * would stay as they are, since they have the revisions of the history.
 */
export async function upgradeCopy(athena: Athena, tables: readonly HistoryTable[]): Promise<void> {
  const changes: string[] = [];
  for (const table of tables) {
    const known = await columnsOf(athena, table);
    const surplus = known.filter((name) => !table.columns.some((column) => column.name === name));
    changes.push(...additions(table, known), ...surplus.map((name) => dropColumn(table, name)));
  }
  if (changes.length === 0) return;
  await runAll(athena, [...tables.map(({ name }) => `DELETE FROM ${name}`), ...changes]);
}
