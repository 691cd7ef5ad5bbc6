import type { LakeType } from '#lake/sql/columns.ts';
import { viewSql } from '#lake/sql/lake-view.ts';
import type { LakeView } from '#lake/sql/lake-view.ts';
import { ALL_VIEWS } from '#lake/sql/views/all.ts';
import { LATEST_DAYS, LATEST_INVOICES, LATEST_REFUNDS } from '#lake/sql/views/latest.ts';
import { REGISTERED_MERCHANTS } from '#records/storage/keys.ts';
import { MERCHANTS, MERCHANTS_HISTORY, REGISTERED } from '#lake/sql/views/merchants.ts';
import { LAKE_TABLES } from '#lib/lake/tables.ts';
import type { LakeTable } from '#lib/lake/tables.ts';
import { PAYMENTS } from '#lib/lake/views/payments.ts';

/** Views that DuckDB has as well, each after those that it reads. */
export const DUCKDB_VIEWS: readonly LakeView[] = [
  MERCHANTS,
  MERCHANTS_HISTORY,
  LATEST_INVOICES,
  LATEST_REFUNDS,
  LATEST_DAYS,
  ...ALL_VIEWS.filter(({ name }) => name !== 'all_mail'),
  PAYMENTS,
];

const HEAD = `-- The lake in DuckDB 1.4 or later, without Athena: the same views with the same columns, from the same definitions.
-- npm run dictionary writes this file. docs/without-athena.md says how to use it.
--
-- "lake" is the bucket (s3://<bucket>) or a folder with a copy of it. "days" says which files are looked for, such as
-- '2026-11-*'. Set them before this file is read, or leave them out.
SET VARIABLE lake = coalesce(getvariable('lake'), '.local/s3/daybook');
SET VARIABLE days = coalesce(getvariable('days'), '*');

-- The lake has this file from the first look of the function lake on. Without it, any manifest stands for it, which has no such row.
SET VARIABLE registered = coalesce(
  (SELECT min(file) FROM glob(getvariable('lake') || '/${REGISTERED_MERCHANTS.replace(/\w+(?=[.])/, '*')}')),
  (SELECT min(file) FROM glob(getvariable('lake') || '/days/day=' || getvariable('days') || '/merchant=*/r*.json'))
);

-- Functions of Athena that DuckDB has not, or has in another sense.
CREATE OR REPLACE MACRO if_then(condition, a) AS CASE WHEN condition THEN a END,
  (condition, a, b) AS CASE WHEN condition THEN a ELSE b END;
CREATE OR REPLACE MACRO greatest(a, b) AS CASE WHEN a IS NOT NULL AND b IS NOT NULL THEN system.main.greatest(a, b) END;
CREATE OR REPLACE MACRO element_at(items, place) AS items[place];
CREATE OR REPLACE MACRO sum_of(items) AS CASE WHEN items IS NOT NULL THEN coalesce(list_sum(items), 0) END;
CREATE OR REPLACE MACRO multimap_from_entries(entries) AS
  map_from_entries(list_transform(entries, lambda e: row(e[1], [e[2]])));
CREATE OR REPLACE MACRO from_iso8601_timestamp(moment) AS CAST(moment AS TIMESTAMPTZ);
CREATE OR REPLACE MACRO from_unixtime(seconds) AS to_timestamp(seconds);
CREATE OR REPLACE MACRO with_timezone(moment, zone) AS timezone(zone, moment);
CREATE OR REPLACE MACRO at_timezone(moment, zone) AS timezone(zone, moment);
CREATE OR REPLACE MACRO date_add(unit, days, date) AS date + to_days(days);
CREATE OR REPLACE MACRO regexp_like(text, pattern) AS regexp_matches(text, pattern);
CREATE OR REPLACE MACRO regexp_extract(text, pattern) AS nullif(system.main.regexp_extract(text, pattern), ''),
  (text, pattern, part) AS nullif(system.main.regexp_extract(text, pattern, part), '');
CREATE OR REPLACE MACRO regexp_replace(text, pattern, new) AS system.main.regexp_replace(text, pattern, new, 'g');
CREATE OR REPLACE MACRO json_extract_scalar(document, path) AS json_extract_string(document, path);
CREATE OR REPLACE MACRO json_size(document, path) AS len(json_keys(document, path));`;

function duckdbType(type: LakeType): string {
  if (type === 'string') return 'VARCHAR';
  if (typeof type === 'string') return type.toUpperCase();
  if ('list' in type) return `${duckdbType(type.list)}[]`;
  if ('map' in type) return `MAP(VARCHAR, ${duckdbType(type.map)})`;
  return `STRUCT(${type.members.map(({ name, type: member }) => `"${name}" ${duckdbType(member)}`).join(', ')})`;
}

function columnsOf({ columns }: LakeTable): string {
  return columns.map(({ name, type }) => `    '${name}': '${duckdbType(type)}'`).join(',\n');
}

/** A table of Glue as a view over its files. A line that is no record becomes a row of nulls, as with the SerDe. */
function tableView(table: LakeTable): string {
  const { name, prefix } = table;
  const files = name === 'days' ? 'r*.json' : '*.jsonl.gz';
  return `CREATE OR REPLACE VIEW "${name}" AS
SELECT * EXCLUDE (filename, merchant), 's3://lake/' || regexp_extract(replace(filename, '\\', '/'), '${prefix}day=.*$') AS "$path"
FROM read_json(
  getvariable('lake') || '/${prefix}day=' || getvariable('days') || '/merchant=*/${files}',
  format = 'newline_delimited', filename = true, ignore_errors = true,
  hive_partitioning = true, hive_types = {'day': VARCHAR, 'merchant': VARCHAR},
  columns = {
${columnsOf(table)}
  }
);`;
}

function registeredView(table: LakeTable): string {
  return `CREATE OR REPLACE VIEW "${table.name}" AS
FROM read_json(getvariable('registered'), format = 'newline_delimited', ignore_errors = true,
  columns = {
${columnsOf(table)}
  }
) WHERE since IS NOT NULL;`;
}

/** The statement of a view in the words of DuckDB. */
export function translated(sql: string): string {
  return sql
    .replaceAll(
      /\breduce\((.+), CAST\(0 AS (\S+)\), \(s, o\) -> CAST\(s \+ (.+) AS \2\), s -> s\)/g,
      'CAST(sum_of(transform($1, o -> $3)) AS $2)',
    )
    .replaceAll(/\b([a-z]) -> /g, 'lambda $1: ')
    .replaceAll(/\btransform\(/g, 'list_transform(')
    .replaceAll(/\bcardinality\(([a-z])\)/g, 'len($1)')
    .replaceAll(/\bIF\(/g, 'if_then(')
    .replaceAll(/\bdate_parse\((.+), '(%Y%m%dT%H)%i%s'\)/g, "strptime($1, '$2%M%S')");
}

/** The text of the file that makes the lake's views in DuckDB. */
export function duckdbViews(): string {
  const tables = ['invoices', 'refunds', 'days'].flatMap((name) =>
    LAKE_TABLES.filter((table) => table.name === name).map(tableView),
  );
  const registered = LAKE_TABLES.filter(({ name }) => name === REGISTERED).map(registeredView);
  const views = DUCKDB_VIEWS.map(
    (view) =>
      `-- ${view.description}\nCREATE OR REPLACE VIEW "${view.name}" AS\n${translated(viewSql(view))};`,
  );
  return `${[HEAD, ...tables, ...registered, ...views].join('\n\n')}\n`;
}
