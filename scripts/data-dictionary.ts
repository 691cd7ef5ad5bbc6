import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { NAMED_QUERIES } from '#lib/lake/queries/index.ts';
import { ALL_REVISIONS } from '#lib/lake/tables.ts';
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
export const CONTRACT_FILE = resolve(ROOT, 'docs/lake-contract.odcs.json');
const MARK = '<!-- npm run dictionary writes what follows, from lib/lake and functions/lake/sql. -->';

type Shortenings = readonly (readonly [long: RegExp, short: string])[];

/** How a unit is written in short; "How to read values" says what it means. */
const SHORT_UNITS: Shortenings = [
  [/^amount in the (merchant's )?currency, three fraction digits$/, 'amount'],
  [/^(counts?), and (amount|sum)s? in the .*$/, '$1, $2'],
  [/^(YYYY-MM-DD HH:MM:SS), in the service's own zone.*$/, '$1'],
  [/^ISO 8601, UTC$/, 'UTC'],
  [/^(date|count)$/, ''],
];

/** Types that say what the unit would: an amount, a date or time of the service, the members of an object. */
const TYPE_SAYS: readonly (readonly [type: RegExp, unit: RegExp])[] = [
  [/^decimal/, /^amount$/],
  [/^(date|timestamp)/, /^YYYY/],
  [/struct</, /^JSON/],
];

/** Meanings that "How to read values" says for all columns, or that fewer words say. */
const SHORT_MEANINGS: Shortenings = [
  [/; null where (it is unknown|the service does not say|the registry has no `invoiceStatuses`)\.$/, '.'],
  [/, and where the registry has no `invoiceStatuses`\.$/, '.'],
  [
    /^The contract does not show its type or meaning; null for an unpaid invoice\.$/,
    'Not explained; null while unpaid.',
  ],
  [/ (The|A) partition: a condition on .* is what keeps a query cheap\./, ' $1 partition.'],
  [/^Entries of `entries` that are \w+\.$/, 'Entries of `entries` with this status.'],
];

interface Row {
  name: string;
  type: string;
  isNullable: boolean;
  meaning: string;
  /** In short; empty without one. */
  unit: string;
}

const shortened = (text: string, by: Shortenings) =>
  by.reduce((said, [long, short]) => said.replace(long, short), text);

function rowOf(column: ContractColumn): Row {
  const meaning = shortened(column.description, SHORT_MEANINGS);
  return {
    ...{ name: column.name, type: column.physicalType, isNullable: !column.required },
    meaning: column.classification === 'personal' ? `${meaning} Personal.` : meaning,
    unit: shortened(customOf(column, 'unit'), SHORT_UNITS),
  };
}

/** Sections written so far, by name, with all of their columns. */
type Described = Map<string, readonly Row[]>;

/** A longer meaning is said once, in the first section that has it. */
const MOST_WORDS_AGAIN = 6;

/** The type of a column in a view that a table has under this type. */
const inViews = (type: string) =>
  type === 'string' ? 'varchar' : type === 'array<string>' ? 'array(varchar)' : type;

/** What a line says behind the names of its columns: type and meaning, or the section that said both before. */
function saysOf(section: string, column: Row, described: Described): string {
  const { name, type, isNullable, meaning, unit } = column;
  const nullable = isNullable ? ', null' : '';
  const typed = `${inViews(type) === 'varchar' ? '' : ` \`${type}\``}${nullable}`;
  const isSaid = unit === '' || TYPE_SAYS.some(([said, by]) => said.test(type) && by.test(unit));
  const text = isSaid ? meaning : `${meaning} (${unit})`;
  if (text.split(' ').length <= MOST_WORDS_AGAIN) return `${typed}: ${text}`;
  for (const [other, rows] of described) {
    if (other === section) break;
    const first = rows.find((each) => each.meaning === meaning && each.unit === unit);
    if (first === undefined) continue;
    if (first.name !== name) return ` \`${type}\`${nullable}: as \`${first.name}\` in \`${other}\``;
    const isAlike = inViews(first.type) === inViews(type) && first.isNullable === isNullable;
    return `${isAlike ? '' : ` \`${type}\`${nullable}`}: as in \`${other}\``;
  }
  return `${typed}: ${text}`;
}

/** Whether a column is the sum of the count before it, and nothing more has to be said of it. */
const isSumOf = (count: Row | undefined, { name, isNullable, meaning }: Row) =>
  name === `${count?.name}_amount` && isNullable === count?.isNullable && SUM.test(meaning);
const SUM = /^Their sum(; null likewise)?\.$/;

/** A table of such long cells cannot be read in an editor. One meaning, and a count with its sum, share a line. */
function listOf(section: string, rows: readonly Row[], described: Described): string {
  const lines = new Map<string, string[]>();
  for (const [index, each] of rows.entries()) {
    if (isSumOf(rows[index - 1], each)) continue;
    const sum = rows[index + 1];
    const says = saysOf(section, each, described);
    const both =
      sum !== undefined && isSumOf(each, sum)
        ? says.replace(/^ `[^`]+`/, `$&, \`${sum.name}\` \`${sum.type}\``)
        : says;
    lines.set(both, [...(lines.get(both) ?? []), `\`${each.name}\``]);
  }
  return [...lines].map(([says, names]) => `- ${names.join(', ')}${says}`).join('\n');
}

/** Fewer columns in a row are named one by one: a line that joins columns may part them. */
const SHORTEST_RUN = 6;

/** Columns by name; those that another section has in the same order are `first` to `last`. */
function namesOf(columns: readonly Row[], others: readonly Row[]): string {
  const order = others.map(flat);
  const runs: string[][] = [];
  for (const name of columns.map(flat)) {
    const run = runs.at(-1);
    if (run !== undefined && order.indexOf(run.at(-1) ?? '') + 1 === order.indexOf(name)) run.push(name);
    else runs.push([name]);
  }
  return runs
    .flatMap((run) => (run.length < SHORTEST_RUN ? run : [`${run[0]}\` to \`${run.at(-1)}`]))
    .map((name) => `\`${name}\``)
    .join(', ');
}

/** The column of a view that a member of an object becomes. */
const flat = ({ name }: Row) => name.replace('.', '_');

/** The section that has most of these columns with their meaning. `undefined` when it has fewer than half of them. */
function kinOf(rows: readonly Row[], described: Described) {
  const kin = [...described].map(([name, others]) => {
    const shared = rows.filter((each) =>
      others.some(
        (other) =>
          flat(each) === flat(other) &&
          each.meaning === other.meaning &&
          each.unit === other.unit &&
          (each.isNullable === other.isNullable || each.type !== other.type),
      ),
    );
    return { name, others, shared };
  });
  const [best] = kin.sort((one, other) => other.shared.length - one.shared.length);
  return best === undefined || best.shared.length < rows.length / 2 ? undefined : best;
}

/** Which types differ from those of a section with the same columns. */
function typesText(rows: readonly Row[], shared: readonly Row[], others: readonly Row[]): string {
  const [type = '', ...more] = new Set(rows.map((each) => each.type));
  if (more.length === 0 && rows.length > 1) return ` Each is a \`${type}\`.`;
  const differ = shared.filter((each) =>
    others.every((other) => flat(other) !== flat(each) || inViews(other.type) !== inViews(each.type)),
  );
  const types = Map.groupBy(differ, (each) => each.type);
  return [...types].map(([as, of]) => ` As \`${as}\`: ${namesOf(of, others)}.`).join('');
}

/** The columns of a section: all of them, or what differs from a section that came before. */
function columnsText(section: string, rows: readonly Row[], described: Described): string {
  const kin = kinOf(rows, described);
  described.set(section, rows);
  if (kin === undefined) return listOf(section, rows, described);
  const { name, others, shared } = kin;
  const missing = others.filter((other) => !rows.some((each) => flat(each) === flat(other)));
  const without = missing.length === 0 ? '' : `, without ${namesOf(missing, others)}`;
  const which = missing.length < shared.length ? without : `: ${namesOf(shared, others)}`;
  const objects = new Set(shared.flatMap((each) => /^(.+)\./.exec(each.name)?.slice(1) ?? []));
  const members = [...objects].map((object) => `\`${object}_…\``).join(', ');
  const parts = [
    `Columns as in \`${name}\`${which}.${typesText(rows, shared, others)}`,
    ...(members === '' ? [] : [`Those named ${members} are members of these objects.`]),
  ];
  const own = rows.filter((each) => !shared.includes(each));
  return own.length === 0
    ? parts.join(' ')
    : `${parts.join(' ')} And these:\n\n${listOf(section, own, described)}`;
}

/** The columns of a table but the partitions, each with the members of its object below it. */
function rowsOf({ properties = [] }: ContractTable): Row[] {
  return properties
    .filter(({ partitioned }) => partitioned !== true)
    .flatMap((column) => [
      rowOf(column),
      ...(column.properties ?? []).map((member) =>
        rowOf({ ...member, name: `${column.name}.${member.name}` }),
      ),
    ]);
}

function section(described: Described, each: ContractTable): string {
  const { name, description, physicalType, properties = [] } = each;
  const partitions = properties.filter(({ partitioned }) => partitioned === true);
  const names = partitions.map((column) => `\`${column.name}\``).join(' and ');
  const kept = names === '' ? 'not partitioned' : `partitioned by ${names}`;
  const place = `Objects: \`${customOf(each, 'prefix')}\`, ${physicalType.replace(' files', '')}, ${kept}.`;
  const parts = [description.replace(` ${ALL_REVISIONS}`, ''), ...(physicalType === 'view' ? [] : [place])];
  return [`### \`${name}\``, ...parts, columnsText(name, rowsOf(each), described)].join('\n\n');
}

/** The tables of the history have the columns of the views. Only the table of merges has its own. */
function historySection(tables: readonly ContractTable[]): string {
  const place =
    'Objects: `lake/`, Iceberg, partitioned by the month of `business_date` and by 16 buckets of `merchant_code`. Timestamps are `timestamp(6)`.';
  const alike = tables.filter((each) => customOf(each, 'columnsAs') !== '');
  const lines = alike.map(
    (each) => `- \`${each.name}\`, columns as in \`${customOf(each, 'columnsAs')}\`: ${each.description}`,
  );
  const own = tables.filter((each) => !alike.includes(each));
  return [
    '## Tables of the history',
    place,
    lines.join('\n'),
    ...own.flatMap((each) => [
      `### \`${each.name}\``,
      each.description,
      listOf(each.name, rowsOf(each), new Map()),
    ]),
  ].join('\n\n');
}

function byMerchantSection(tables: readonly ContractTable[]): string {
  const names = tables.map(({ name }) => `\`${name}\``).join(', ');
  return `### Tables by merchant\n\n${names} have the objects and columns of the tables without \`merchant_\`, with \`merchant\` (\`string\`) as the last partition.`;
}

function queriesSection(): string {
  const lines = NAMED_QUERIES.map(({ name, description }) => `- \`${name}\`: ${description}`);
  return [
    '## Named queries\n\nThey are ready to use in the workgroup, under "Saved queries". [Their texts](../lib/lake/queries) run in Athena and in [DuckDB](without-athena.md).',
    lines.join('\n'),
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
    [
      'Behind the name of a column is its type, and "null" where it may be null. Without a type it is text (`varchar`, in tables `string`), or it is as in the section that is named.',
      '"`a` to `d`" are the columns from `a` to `d` in the section that is named. `…_amount` in the line of a count is its sum.',
    ].join(' '),
    ...of('view').map((view) => section(described, view)),
    historySection(of('Iceberg table')),
    `## Tables\n\nThe tables of invoices and refunds ${ALL_REVISIONS.replace('Holds', 'hold')}`,
    ...files.filter(({ properties }) => properties !== undefined).map((each) => section(described, each)),
    byMerchantSection(files.filter(({ properties }) => properties === undefined)),
  ].join('\n\n');
  return format(text, { ...(await resolveConfig(DICTIONARY)), filepath: DICTIONARY });
}

if (import.meta.main) {
  readOptions(
    'npm run dictionary\n\nWrites docs/lake-contract.odcs.json, the tables of docs/data-dictionary.md and the SQL of docs/recipes from the definitions of the lake. It has no options.',
    {},
  );
  await writeFile(DICTIONARY, await dataDictionary());
  await writeFile(CONTRACT_FILE, lakeContract());
  await writeFile(DUCKDB_FILE, duckdbViews());
  await writeFile(DUCKDB_MAIL_FILE, duckdbMail());
}
