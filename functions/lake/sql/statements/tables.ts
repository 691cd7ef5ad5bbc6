import { glueViewType } from '../lake-view.ts';
import type { HistoryTable } from '../history-tables.ts';
import { quotedText } from '../quoting.ts';
import { listed } from './columns.ts';

/*
 * What Athena alone knows: DDL, OPTIMIZE and VACUUM. Every other statement of the lake is one text for Athena and Trino.
 */

type Named = Pick<HistoryTable, 'name'>;
type Column = Pick<HistoryTable['columns'][number], 'name' | 'type'>;

/** How long deleted rows can still be read in snapshots, days. VACUUM removes older snapshots. */
export const SNAPSHOT_DAYS = 3;

function declared({ name, type }: Column): string {
  return `\`${name}\` ${glueViewType(type)}`;
}

interface Place {
  database: string;
  /** `s3://<bucket>/lake/<table>/` */
  location: string;
}

export function createTable({ name, columns, partitioned }: HistoryTable, place: Place): string {
  return `CREATE TABLE IF NOT EXISTS ${place.database}.${name} (
${listed(columns.map(declared), 2)}
)${partitioned ? `\nPARTITIONED BY (month(business_date), bucket(16, merchant_code))` : ''}
LOCATION ${quotedText(place.location)}
TBLPROPERTIES (
  'table_type' = 'ICEBERG',
  'format' = 'parquet',
  'write_compression' = 'zstd',
  'optimize_rewrite_data_file_threshold' = '2',
  'optimize_rewrite_delete_file_threshold' = '1',
  'vacuum_max_snapshot_age_seconds' = '${SNAPSHOT_DAYS * 86_400}',
  'vacuum_min_snapshots_to_keep' = '1'
)`;
}

/** Adds a column to a table of an earlier version. It comes last, and is null in all rows. */
export function addColumn({ name }: Named, column: Column): string {
  return `ALTER TABLE ${name} ADD COLUMNS (${declared(column)})`;
}

/** Takes a column out of a table. Older files still have its values. */
export function dropColumn({ name }: Named, column: string): string {
  return `ALTER TABLE ${name} DROP COLUMN \`${column}\``;
}

/**
 * Makes few large files of many small ones, and takes deleted rows out of the files. It may end with `ICEBERG_OPTIMIZE_MORE_RUNS_NEEDED`:
 * then it has to be run again.
 * @param from the first of a month, `YYYY-MM-DD`: only files of that month and later ones
 */
export function optimize({ name }: Named, from?: string): string {
  const since = from === undefined ? '' : ` WHERE business_date >= DATE ${quotedText(from)}`;
  return `OPTIMIZE ${name} REWRITE DATA USING BIN_PACK${since}`;
}

/**
 * Removes snapshots of more than {@link SNAPSHOT_DAYS} days, and files that no snapshot has. It may end with
 * `ICEBERG_VACUUM_MORE_RUNS_NEEDED`: then it has to be run again.
 */
export function vacuum({ name }: Named): string {
  return `VACUUM ${name}`;
}
