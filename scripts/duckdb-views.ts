import type { LakeType } from '#lake/sql/columns.ts';
import { viewSql } from '#lake/sql/lake-view.ts';
import type { LakeView } from '#lake/sql/lake-view.ts';
import { ALL_VIEWS } from '#lake/sql/views/all.ts';
import { LATEST_DAYS, LATEST_INVOICES, LATEST_REFUNDS } from '#lake/sql/views/latest.ts';
import { LAKE_TABLES } from '#lib/lake/tables.ts';
import type { LakeTable } from '#lib/lake/tables.ts';

/** Views that DuckDB has as well, each after those that it reads. */
export const DUCKDB_VIEWS: readonly LakeView[] = [
  LATEST_INVOICES,
  LATEST_REFUNDS,
  LATEST_DAYS,
  ...ALL_VIEWS.filter(({ name }) => name !== 'all_mail'),
];

/** The tables that these views read, and how their files end. */
const TABLES = { invoices: '*.jsonl.gz', refunds: '*.jsonl.gz', days: 'r*.json' };

const HEAD = `-- The lake in DuckDB 1.3 or later, without Athena: the same views with the same columns, from the same definitions.
-- npm run dictionary writes this file. docs/without-athena.md says how to use it.
--
-- "lake" is the bucket (s3://<bucket>) or a folder with a copy of it. "days" says which files are looked for, such as
-- '2026-11-*'. Set them before this file is read, or leave them out.
SET VARIABLE lake = coalesce(getvariable('lake'), '.local/s3/daybook');
SET VARIABLE days = coalesce(getvariable('days'), '*');

-- A function of Athena.
CREATE OR REPLACE MACRO from_iso8601_timestamp(moment) AS CAST(moment AS TIMESTAMPTZ);`;

function duckdbType(type: LakeType): string {
  if (type === 'string') return 'VARCHAR';
  if (typeof type === 'string') return type.toUpperCase();
  if ('list' in type) return `${duckdbType(type.list)}[]`;
  if ('map' in type) return `MAP(VARCHAR, ${duckdbType(type.map)})`;
  return `STRUCT(${type.members.map(({ name, type: member }) => `"${name}" ${duckdbType(member)}`).join(', ')})`;
}

/** A table of Glue as a view over its files. A line that is no record becomes a row of nulls, as with the SerDe. */
function tableView({ name, prefix, columns }: LakeTable, files: string): string {
  return `CREATE OR REPLACE VIEW "${name}" AS
SELECT * EXCLUDE (filename, merchant), 's3://lake/' || regexp_extract(replace(filename, '\\', '/'), '${prefix}day=.*$') AS "$path"
FROM read_json(
  getvariable('lake') || '/${prefix}day=' || getvariable('days') || '/merchant=*/${files}',
  format = 'newline_delimited', filename = true, ignore_errors = true,
  hive_partitioning = true, hive_types = {'day': VARCHAR, 'merchant': VARCHAR},
  columns = {
${columns.map((column) => `    '${column.name}': '${duckdbType(column.type)}'`).join(',\n')}
  }
);`;
}

/** The statement of a view in the words of DuckDB. */
function translated(sql: string): string {
  return sql.replaceAll(/\b([a-z]) -> /g, 'lambda $1: ').replaceAll(/\barray\(varchar\)/g, 'VARCHAR[]');
}

/** The text of the file that makes the lake's views in DuckDB. */
export function duckdbViews(): string {
  const tables = Object.entries(TABLES).flatMap(([name, files]) =>
    LAKE_TABLES.filter((table) => table.name === name).map((table) => tableView(table, files)),
  );
  const views = DUCKDB_VIEWS.map(
    (view) =>
      `-- ${view.description}\nCREATE OR REPLACE VIEW "${view.name}" AS\n${translated(viewSql(view))};`,
  );
  return `${[HEAD, ...tables, ...views].join('\n\n')}\n`;
}
