import type { LakeType } from '#lake/sql/columns.ts';
import { viewSql } from '#lake/sql/lake-view.ts';
import type { LakeView } from '#lake/sql/lake-view.ts';
import { ALL_MAIL, ALL_VIEWS } from '#lake/sql/views/all.ts';
import { LATEST_DAYS, LATEST_INVOICES, LATEST_MAIL, LATEST_REFUNDS } from '#lake/sql/views/latest.ts';
import { REGISTERED_MERCHANTS, STATEMENTS as STATEMENTS_PREFIX } from '#records/storage/keys.ts';
import { MERCHANTS, MERCHANTS_HISTORY, REGISTERED } from '#lake/sql/views/merchants.ts';
import { LAKE_TABLES, keysBegin } from '#lib/lake/tables.ts';
import type { LakeTable } from '#lib/lake/tables.ts';
import { PAYMENTS } from '#lib/lake/views/index.ts';
import { ADJUSTMENTS, LATEST_STATEMENTS, STATEMENT_DAYS } from '#lib/lake/views/statements.ts';

/** Sets a variable to files that may be missing. @param at where they are, as SQL */
function filesOf(variable: string, at: string): string {
  return `SET VARIABLE ${variable} = (SELECT coalesce(list(file), [getvariable('no_files')]) FROM glob(getvariable('lake') || ${at}));`;
}

/** Views that DuckDB has as well, each after those that it reads. */
export const DUCKDB_VIEWS: readonly LakeView[] = [
  MERCHANTS,
  MERCHANTS_HISTORY,
  LATEST_INVOICES,
  LATEST_REFUNDS,
  LATEST_DAYS,
  ...ALL_VIEWS.filter(({ name }) => name !== ALL_MAIL.name),
  PAYMENTS,
  LATEST_STATEMENTS,
  STATEMENT_DAYS,
  ADJUSTMENTS,
];
/** Of ledgers, which analysts may not read. */
export const DUCKDB_MAIL_VIEWS: readonly LakeView[] = [LATEST_MAIL, ALL_MAIL];

const HEAD = `-- The lake in DuckDB 1.4 or later, without Athena: the same views with the same columns, from the same definitions.
-- npm run dictionary writes this file. docs/without-athena.md says how to use it.
--
-- "lake" is the bucket (s3://<bucket>) or a folder with a copy of it. "days" says which files are looked for, such as
-- '2026-11-*', and "periods" which statements. Set them before this file is read, or leave them out.
SET VARIABLE lake = coalesce(getvariable('lake'), '.local/s3/daybook');
SET VARIABLE days = coalesce(getvariable('days'), '*');
SET VARIABLE periods = coalesce(getvariable('periods'), '*');

-- There may be no statement yet, and no file of merchants. Then any manifest stands for them, and no view shows it.
SET VARIABLE no_files = (SELECT min(file) FROM glob(getvariable('lake') || '/days/day=' || getvariable('days') || '/merchant=*/r*.json'));
${filesOf('statements', `'/${STATEMENTS_PREFIX}period=' || getvariable('periods') || '/merchant=*/r*.json'`)}
${filesOf('registered', `'/${REGISTERED_MERCHANTS.replace(/\w+(?=[.])/, '*')}'`)}

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
CREATE OR REPLACE MACRO sequence(first, last) AS CAST(generate_series(first, last, INTERVAL '1' DAY) AS DATE[]);
CREATE OR REPLACE MACRO regexp_like(text, pattern) AS regexp_matches(text, pattern);
CREATE OR REPLACE MACRO regexp_extract(text, pattern) AS nullif(system.main.regexp_extract(text, pattern), ''),
  (text, pattern, part) AS nullif(system.main.regexp_extract(text, pattern, part), '');
CREATE OR REPLACE MACRO regexp_replace(text, pattern, new) AS system.main.regexp_replace(text, pattern, new, 'g');
CREATE OR REPLACE MACRO json_extract_scalar(document, path) AS json_extract_string(document, path);
CREATE OR REPLACE MACRO json_parse(text) AS CAST(text AS JSON);
CREATE OR REPLACE MACRO json_format(document) AS CAST(document AS VARCHAR);
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

/** Where the files of a table are, and what its view shows of their names. */
interface Source {
  files: string;
  options?: string;
  shown: string;
}

const OF_DAYS = {
  options: "\n  hive_partitioning = true, hive_types = {'day': VARCHAR, 'merchant': VARCHAR},",
  shown: '* EXCLUDE (filename, merchant)',
};
function pagesIn(files: string): Source {
  return {
    ...OF_DAYS,
    files: `getvariable('lake') || '/${files.replace('=', "=' || getvariable('days') || '")}'`,
  };
}
const SOURCES: Record<string, Source> = {
  invoices: pagesIn('invoices/json/day=/merchant=*/*.jsonl.gz'),
  refunds: pagesIn('refunds/json/day=/merchant=*/*.jsonl.gz'),
  days: pagesIn('days/day=/merchant=*/r*.json'),
  mail: { ...OF_DAYS, files: "getvariable('ledgers')" },
  statements: {
    files: "getvariable('statements')",
    shown: `* EXCLUDE filename, regexp_extract("$path", 'period=([0-9]{4})-', 1) AS "year", regexp_extract("$path", 'period=[0-9]{4}-([^/]+)', 1) AS "part"`,
  },
  [REGISTERED]: { files: "getvariable('registered')", shown: '* EXCLUDE filename' },
};

/** A table of Glue as a view over its files. A line that is no record becomes a row of nulls, as with the SerDe. */
function tableView(table: LakeTable, { files, options = '', shown }: Source): string {
  return `CREATE OR REPLACE VIEW "${table.name}" AS
SELECT 's3://lake/' || regexp_extract(replace(filename, '\\', '/'), '${keysBegin(table)}.*$') AS "$path", ${shown}
FROM read_json(
  ${files},
  format = 'newline_delimited', filename = true, ignore_errors = true,${options}
  columns = {
${columnsOf(table)}
  }
) WHERE "$path" IS NOT NULL;`;
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
    .replaceAll(/\bcardinality\((?!IF)/g, 'len(')
    .replaceAll(/\barray\((\w+)\)/g, '$1[]')
    .replaceAll(/\bUNNEST\((\w[.]"\w+")\) AS (\w) \([^)]*\)/g, '(SELECT unnest($1, max_depth := 2)) AS $2')
    .replaceAll(/\bIF\(/g, 'if_then(')
    .replaceAll(/\bdate_parse\((.+), '(%Y%m%dT%H)%i%s'\)/g, "strptime($1, '$2%M%S')");
}

function tablesOf(names: readonly string[]): string[] {
  return LAKE_TABLES.flatMap((table) => {
    const source = names.includes(table.name) ? SOURCES[table.name] : undefined;
    return source === undefined ? [] : [tableView(table, source)];
  });
}

function statementOf(view: LakeView): string {
  return `-- ${view.description}\nCREATE OR REPLACE VIEW "${view.name}" AS\n${translated(viewSql(view))};`;
}

/** The text of the file that makes the lake's views in DuckDB. */
export function duckdbViews(): string {
  const tables = tablesOf(Object.keys(SOURCES).filter((name) => name !== 'mail'));
  return `${[HEAD, ...tables, ...DUCKDB_VIEWS.map(statementOf)].join('\n\n')}\n`;
}

/** The text of the file that adds the views of mail, for operators. */
export function duckdbMail(): string {
  const head = `-- The views of mail in DuckDB, after lake.sql. npm run dictionary writes this file.
${filesOf('ledgers', `'/mail/day=' || getvariable('days') || '/merchant=*/r*.json'`)}`;
  const history = `-- DuckDB has no history: it reads each ledger as it is now.
CREATE OR REPLACE VIEW "mail_history" AS FROM "${LATEST_MAIL.name}";
CREATE OR REPLACE VIEW "history_merges" AS
SELECT DISTINCT day, 'mail' AS what, CAST(now() AT TIME ZONE 'UTC' AS timestamp(3)) AS merged_at FROM "days";`;
  return `${[head, ...tablesOf(['mail']), ...DUCKDB_MAIL_VIEWS.map(statementOf), history].join('\n\n')}\n`;
}
