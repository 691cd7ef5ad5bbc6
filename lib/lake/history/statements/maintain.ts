import type { HistoryTable } from '../history-table.ts';
import { SNAPSHOT_DAYS } from './create-table.ts';
import type { Dialect } from './create-table.ts';

/** A condition that leaves out whole months, such as `business_date >= DATE '2026-09-01'`. */
function since(from: string | undefined): string {
  return from === undefined ? '' : ` WHERE business_date >= DATE '${from}'`;
}

/**
 * Makes few large files of many small ones, and takes deleted rows out of the files. In Athena it may end with
 * `ICEBERG_OPTIMIZE_MORE_RUNS_NEEDED`: then it has to be run again.
 *
 * @param from the first of a month, `YYYY-MM-DD`: only files of that month and later ones
 */
export function optimize({ name }: Pick<HistoryTable, 'name'>, dialect: Dialect, from?: string): string {
  switch (dialect) {
    case 'athena':
      return `OPTIMIZE ${name} REWRITE DATA USING BIN_PACK${since(from)}`;
    case 'trino':
      return `ALTER TABLE ${name} EXECUTE optimize${since(from)}`;
  }
}

/**
 * Removes snapshots of more than {@link SNAPSHOT_DAYS} days, and files that no snapshot has. In Athena it may end with
 * `ICEBERG_VACUUM_MORE_RUNS_NEEDED`: then it has to be run again.
 */
export function vacuum({ name }: Pick<HistoryTable, 'name'>, dialect: Dialect): string {
  switch (dialect) {
    case 'athena':
      return `VACUUM ${name}`;
    case 'trino':
      return `ALTER TABLE ${name} EXECUTE expire_snapshots(retention_threshold => '${SNAPSHOT_DAYS}d')`;
  }
}
