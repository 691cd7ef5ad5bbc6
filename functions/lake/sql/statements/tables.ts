import type { HistoryTable, HistoryType } from '../history-tables.ts';
import { quotedText } from '../quoting.ts';
import { listed, quoted } from './columns.ts';

type Named = Pick<HistoryTable, 'name'>;
type Column = HistoryTable['columns'][number];

/** The engine of a statement. The two differ in DDL, OPTIMIZE and VACUUM only. Tests run Trino. */
export type Dialect = 'athena' | 'trino';

const ATHENA_TYPES: Record<HistoryType, string> = {
  varchar: 'string',
  bigint: 'bigint',
  double: 'double',
  boolean: 'boolean',
  date: 'date',
  'timestamp(6)': 'timestamp',
  'decimal(38,3)': 'decimal(38,3)',
  'array(varchar)': 'array<string>',
};

/** How long deleted rows can still be read in snapshots, days. VACUUM removes older snapshots. */
export const SNAPSHOT_DAYS = 3;

/** `PARTITIONED BY` of Athena and `partitioning` of Trino name the same two transforms. */
const MONTH = 'month(business_date)';

interface Place {
  database: string;
  /** `s3://<bucket>/lake/<table>/` */
  location: string;
}

function athenaTable({ name, columns, partitioned }: HistoryTable, { database, location }: Place): string {
  const described = columns.map((column) => `\`${column.name}\` ${ATHENA_TYPES[column.type]}`);
  return `CREATE TABLE IF NOT EXISTS ${database}.${name} (
${listed(described, 2)}
)${partitioned ? `\nPARTITIONED BY (${MONTH}, bucket(16, merchant_code))` : ''}
LOCATION ${quotedText(location)}
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

function trinoTable({ name, columns, partitioned }: HistoryTable, { database, location }: Place): string {
  const described = columns.map((column) => `${quoted(column.name)} ${column.type}`);
  const partitioning = partitioned
    ? `,\n  partitioning = ARRAY['${MONTH}', 'bucket(merchant_code, 16)']`
    : '';
  return `CREATE TABLE IF NOT EXISTS iceberg.${database}.${name} (
${listed(described, 2)}
)
WITH (
  location = ${quotedText(location)},
  format = 'PARQUET'${partitioning}
)`;
}

export function createTable(table: HistoryTable, place: Place, dialect: Dialect): string {
  switch (dialect) {
    case 'athena':
      return athenaTable(table, place);
    case 'trino':
      return trinoTable(table, place);
  }
}

/** Adds a column to a table of an earlier version. It comes last, and is null in all rows. */
export function addColumn({ name }: Named, { name: column, type }: Column, dialect: Dialect): string {
  switch (dialect) {
    case 'athena':
      return `ALTER TABLE ${name} ADD COLUMNS (\`${column}\` ${ATHENA_TYPES[type]})`;
    case 'trino':
      return `ALTER TABLE ${name} ADD COLUMN ${quoted(column)} ${type}`;
  }
}

/** Takes a column out of a table. Older files still have its values. */
export function dropColumn({ name }: Named, column: string, dialect: Dialect): string {
  return `ALTER TABLE ${name} DROP COLUMN ${dialect === 'athena' ? `\`${column}\`` : quoted(column)}`;
}

/** A condition that leaves out whole months, such as `business_date >= DATE '2026-09-01'`. */
function since(from: string | undefined): string {
  return from === undefined ? '' : ` WHERE business_date >= DATE ${quotedText(from)}`;
}

/**
 * Makes few large files of many small ones, and takes deleted rows out of the files. In Athena it may end with
 * `ICEBERG_OPTIMIZE_MORE_RUNS_NEEDED`: then it has to be run again.
 * @param from the first of a month, `YYYY-MM-DD`: only files of that month and later ones
 */
export function optimize({ name }: Named, dialect: Dialect, from?: string): string {
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
export function vacuum({ name }: Named, dialect: Dialect): string {
  switch (dialect) {
    case 'athena':
      return `VACUUM ${name}`;
    case 'trino':
      return `ALTER TABLE ${name} EXECUTE expire_snapshots(retention_threshold => '${SNAPSHOT_DAYS}d')`;
  }
}
