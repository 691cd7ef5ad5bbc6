import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { format, resolveConfig } from 'prettier';
import type { NamedQuery } from '#lib/lake/named-query.ts';
import { NAMED_QUERIES } from '#lib/lake/queries/index.ts';
import { readOptions } from './command-line.ts';
import { duckdbMail, duckdbViews } from './duckdb-views.ts';
import { CONTRACT_TABLES, customOf, lakeContract } from './lake-contract.ts';
import type { ContractColumn, ContractTable } from './lake-contract.ts';

const ROOT = resolve(import.meta.dirname, '..');
/** The committed file. Its first part is written by hand, up to {@link MARK}. */
export const DICTIONARY = resolve(ROOT, 'docs/data-dictionary.md');
/** The same views for DuckDB. */
export const DUCKDB_FILE = resolve(ROOT, 'docs/recipes/lake.sql');
export const DUCKDB_MAIL_FILE = resolve(ROOT, 'docs/recipes/mail.sql');
/** A file for each named query, for Athena and DuckDB. */
export const QUERIES_FOLDER = resolve(ROOT, 'docs/recipes/queries');
export const CONTRACT_FILE = resolve(ROOT, 'docs/lake-contract.odcs.json');
const MARK = '<!-- npm run dictionary writes what follows, from lib/lake and functions/lake/sql. -->';

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}

function table(heading: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(heading), line(heading.map(() => '---')), ...rows.map(line)].join('\n');
}

/** How a unit is written in short; "How to read values" says what it means. */
const SHORT_UNITS: Record<string, string> = {
  "amount in the merchant's currency, three fraction digits": 'amount',
  'amount in the currency, three fraction digits': 'amount',
  "YYYY-MM-DD HH:MM:SS, in the service's own zone, which the contract does not say": 'YYYY-MM-DD HH:MM:SS',
  date: '',
  count: '',
};

/** How columns that may be null say why. "How to read values" says it for all of them. */
const WHERE_UNKNOWN = '; null where it is unknown.';

const SHORT_MEANINGS: Record<string, string> = {
  'The contract does not show its type or meaning; null for an unpaid invoice.':
    'Not explained; null while unpaid.',
  'The day of the page. The partition: a condition on it is what keeps a query cheap.':
    'The day of the page; the partition.',
};

/** A column of a section: its name, its type with `null` where it may be null, and its meaning. */
type Row = readonly [column: string, type: string, meaning: string];

function row(column: ContractColumn, name = column.name): Row {
  const { physicalType: type, description, required, classification } = column;
  const unit = customOf(column, 'unit');
  const short = SHORT_UNITS[unit] ?? unit;
  const parts = [
    (SHORT_MEANINGS[description] ?? description).replace(WHERE_UNKNOWN, '.'),
    ...(classification === 'personal' ? ['Personal.'] : []),
    ...(short === '' ? [] : [`(${short})`]),
  ];
  return [`\`${name}\``, required ? `\`${type}\`` : `\`${type}\`, null`, parts.join(' ')];
}

/** A section that lacks more columns of another is easier to read in full. */
const MOST_MISSING = 8;

/** Sections written so far, by name, with all of their columns. */
type Described = Map<string, readonly Row[]>;

/** The section that shares most rows with these, and the shared columns. `undefined` when fewer than half are shared. */
function kinOf(rows: readonly Row[], described: Described, keyOf: (row: Row) => string) {
  const shared = [...described].map(([name, others]) => {
    const keys = new Set(others.map(keyOf));
    return { name, others, own: rows.filter((each) => !keys.has(keyOf(each))) };
  });
  const [best] = shared.sort((one, other) => one.own.length - other.own.length);
  return best === undefined || best.own.length > rows.length / 2 ? undefined : best;
}

/** A longer meaning is said once, in the first section that has it. */
const MOST_WORDS_AGAIN = 9;

function meaningIn(name: string, [column, , meaning]: Row, described: Described): string {
  if (meaning.split(' ').length <= MOST_WORDS_AGAIN) return meaning;
  for (const [section, others] of described) {
    if (section === name) break;
    const first = others.find(([, , said]) => said === meaning);
    if (first !== undefined)
      return first[0] === column ? `as in \`${section}\`` : `as ${first[0]} in \`${section}\``;
  }
  return meaning;
}

/** A list, because a table of such long cells cannot be read in an editor. */
const listOf = (name: string, rows: readonly Row[], described: Described) =>
  rows.map((each) => `- ${each[0]} ${each[1]}: ${meaningIn(name, each, described)}`).join('\n');

/** The columns of a section: all of them, or what differs from a section that came before. */
function columnsText(name: string, rows: readonly Row[], described: Described): string {
  const same = kinOf(rows, described, (cells) => cells.join('|'));
  const alike = kinOf(rows, described, ([column, , meaning]) => `${column}|${meaning}`);
  described.set(name, rows);
  const columns = rows.map(([column]) => column);
  const missing = same?.others.map(([column]) => column).filter((column) => !columns.includes(column)) ?? [];
  if (same !== undefined && missing.length <= MOST_MISSING) {
    const without = missing.length === 0 ? '' : `, without ${missing.join(', ')}`;
    const said = `Columns as in \`${same.name}\`${without}`;
    return same.own.length === 0 ? `${said}.` : `${said}; and these:\n\n${listOf(name, same.own, described)}`;
  }
  if (alike === undefined) return listOf(name, rows, described);
  const shared = rows.filter((each) => !alike.own.includes(each));
  const types = new Set(shared.map(([, type]) => type.replace(', null', '')));
  const [each = ''] = types;
  const written = shared.map(([column, type]) =>
    types.size === 1 ? column : `${column} ${type.replace(', null', '')}`,
  );
  const typed = types.size === 1 ? `, each a ${each}` : '';
  const said = `With the meaning in \`${alike.name}\`${typed}: ${written.join(', ')}`;
  return alike.own.length === 0 ? `${said}.` : `${said}; and these:\n\n${listOf(name, alike.own, described)}`;
}

/** The columns of a table but the partitions, each with the members of its object below it. */
function rowsOf({ properties = [] }: ContractTable): Row[] {
  return properties
    .filter(({ partitioned }) => partitioned !== true)
    .flatMap((column) => [
      row(column),
      ...(column.properties ?? []).map((member) => row(member, `${column.name}.${member.name}`)),
    ]);
}

function section(described: Described, each: ContractTable): string {
  const { name, description, physicalType, properties = [] } = each;
  const partitions = properties.filter(({ partitioned }) => partitioned === true);
  const names = partitions.map((column) => `\`${column.name}\``).join(' and ');
  const kept = names === '' ? 'not partitioned' : `partitioned by ${names}`;
  const place = `Objects: \`${customOf(each, 'prefix')}\`, ${physicalType.replace(' files', '')}, ${kept}.`;
  const parts = [description, ...(physicalType === 'view' ? [] : [place])];
  return [`### \`${name}\``, ...parts, columnsText(name, rowsOf(each), described)].join('\n\n');
}

/** The tables of the history have the columns of the views. Only the table of merges has its own. */
function historySection(tables: readonly ContractTable[]): string {
  const place =
    'Objects: `lake/`, Iceberg, partitioned by the month of `business_date` and by 16 buckets of `merchant_code`. Timestamps are `timestamp(6)`.';
  const alike = tables.filter((each) => customOf(each, 'columnsAs') !== '');
  const rows = alike.map((each) => [
    `\`${each.name}\``,
    each.description,
    `\`${customOf(each, 'columnsAs')}\``,
  ]);
  const own = tables.filter((each) => !alike.includes(each));
  return [
    '## Tables of the history',
    place,
    table(['table', 'a row', 'columns as in'], rows),
    ...own.flatMap((each) => [
      `### \`${each.name}\``,
      each.description,
      listOf(each.name, rowsOf(each), new Map()),
    ]),
  ].join('\n\n');
}

function byMerchantSection(tables: readonly ContractTable[]): string {
  const rows = tables.map((each) => [`\`${each.name}\``, `\`${customOf(each, 'columnsAs')}\``]);
  return `### Tables by merchant\n\nThe same objects and columns as the other tables, with \`merchant\` (\`string\`) as the last partition.\n\n${table(['table', 'columns as in'], rows)}`;
}

function queriesSection(): string {
  const rows = NAMED_QUERIES.map(({ name, description }) => [`\`${name}\``, description]);
  return [
    '## Named queries\n\nThey are ready to use in the workgroup, under "Saved queries". [Their texts](recipes/queries) run in Athena and in [DuckDB](without-athena.md).',
    table(['query', 'what it answers'], rows),
  ].join('\n\n');
}

/** The text of the data dictionary: what was written by hand, then what the contract of the lake says. */
export async function dataDictionary(): Promise<string> {
  const of = (...types: ContractTable['physicalType'][]) =>
    CONTRACT_TABLES.filter(({ physicalType }) => types.includes(physicalType));
  const files = of('JSON files', 'CSV files');
  const [introduction = ''] = (await readFile(DICTIONARY, 'utf8')).split(MARK);
  const described: Described = new Map();
  const text = [
    introduction.trimEnd(),
    MARK,
    queriesSection(),
    '## Views',
    ...of('view').map((view) => section(described, view)),
    historySection(of('Iceberg table')),
    '## Tables',
    ...files.filter(({ properties }) => properties !== undefined).map((each) => section(described, each)),
    byMerchantSection(files.filter(({ properties }) => properties === undefined)),
  ].join('\n\n');
  return format(text, { ...(await resolveConfig(DICTIONARY)), filepath: DICTIONARY });
}

/** The file of a named query. */
export function queryText({ description, sql }: NamedQuery): string {
  return `-- ${description}\n${sql};\n`;
}

if (import.meta.main) {
  readOptions(
    'npm run dictionary\n\nWrites docs/lake-contract.odcs.json, the tables of docs/data-dictionary.md and the SQL of docs/recipes from the definitions of the lake. It has no options.',
    {},
  );
  await rm(QUERIES_FOLDER, { recursive: true, force: true });
  await mkdir(QUERIES_FOLDER);
  for (const query of NAMED_QUERIES) {
    await writeFile(join(QUERIES_FOLDER, `${query.name}.sql`), queryText(query));
  }
  await writeFile(DICTIONARY, await dataDictionary());
  await writeFile(CONTRACT_FILE, lakeContract());
  await writeFile(DUCKDB_FILE, duckdbViews());
  await writeFile(DUCKDB_MAIL_FILE, duckdbMail());
}
