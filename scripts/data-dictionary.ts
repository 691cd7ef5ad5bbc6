import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { VIEW_HISTORIES } from '#lib/lake/history/tables/index.ts';
import { HISTORY_MERGES } from '#lib/lake/history/tables/merges.ts';
import type { LakeColumn, Meaning } from '#lib/lake/lake-column.ts';
import { sqlName } from '#lib/lake/lake-column.ts';
import type { LakeTable } from '#lib/lake/lake-table.ts';
import { glueType } from '#lib/lake/lake-type.ts';
import type { LakeView } from '#lib/lake/lake-view.ts';
import { NAMED_QUERIES } from '#lib/lake/queries/index.ts';
import { CONTRACT_COLUMNS } from '#lib/lake/record-columns.ts';
import { LAKE_TABLES } from '#lib/lake/tables/index.ts';
import { LAKE_VIEWS } from '#lib/lake/views/index.ts';
import { readFlags } from './command-line.ts';

const ROOT = resolve(import.meta.dirname, '..');
const INTRODUCTION = resolve(import.meta.dirname, 'data-dictionary.introduction.md');
/** The committed file. */
export const DICTIONARY = resolve(ROOT, 'docs/data-dictionary.md');

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}

function table(heading: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(heading), line(heading.map(() => '---')), ...rows.map(line)].join('\n');
}

const HEADING = ['column', 'type', 'unit', 'null', 'meaning', 'contract'];

function row(
  name: string,
  type: string,
  { unit, meaning, personal }: Meaning,
  nullable: boolean,
  contract: string,
): string[] {
  return [
    `\`${name}\``,
    `\`${type}\``,
    unit ?? '',
    nullable ? 'yes' : '',
    personal === true ? `${meaning} Personal.` : meaning,
    contract,
  ];
}

/** A column. Below it are the object's members that have a meaning of their own. */
function tableRows(column: LakeColumn): string[][] {
  const members = Object.values(CONTRACT_COLUMNS)
    .flat()
    .find((candidate) => candidate === column)?.members;
  const own = row(sqlName(column), glueType(column.type), column, column.nullable, column.contract);
  return [
    own,
    ...(members ?? []).map((member) =>
      row(
        sqlName(member),
        glueType(member.type),
        member,
        member.nullable,
        `${member.contract}, ${column.name}`,
      ),
    ),
  ];
}

function tableSection(described: LakeTable): string {
  const { name, description, prefix, format: kind, partitions, columns } = described;
  const place = `\`${prefix}\`, ${kind === 'json' ? 'JSON' : 'CSV'}, partitioned by ${partitions.map((column) => `\`${column}\``).join(' and ')}`;
  return `### \`${name}\`\n\n${description}\n\nObjects: ${place}.\n\n${table(HEADING, columns.flatMap(tableRows))}`;
}

function viewSection({ name, description, columns }: LakeView): string {
  const rows = columns.map((column) =>
    row(column.name, column.type, column, column.nullable, column.contract),
  );
  return `### \`${name}\`\n\n${description}\n\n${table(HEADING, rows)}`;
}

/** The tables of the history have the columns of the views. Only the table of merges has its own. */
function historySection(): string {
  const rows = VIEW_HISTORIES.map(({ name, description, latest }) => [
    `\`${name}\``,
    description,
    `\`${latest.name}\``,
  ]);
  const place =
    'Objects: `lake/`, Iceberg, partitioned by the month of `business_date` and by 16 buckets of `merchant_code`. Timestamps are `timestamp(6)`.';
  const { name, description, columns } = HISTORY_MERGES;
  const own = columns.map((column) =>
    row(column.name, column.type, column, column.nullable, column.contract),
  );
  return [
    '## Tables of the history',
    place,
    table(['table', 'a row', 'columns as in'], rows),
    `### \`${name}\``,
    description,
    table(HEADING, own),
  ].join('\n\n');
}

function byMerchantSection(tables: readonly LakeTable[]): string {
  const rows = tables.map(({ name }) => [`\`${name}\``, `\`${name.replace('merchant_', '')}\``]);
  return `### Tables by merchant\n\nThe same objects and columns as the other tables, with \`merchant\` (\`string\`) as the last partition.\n\n${table(['table', 'columns as in'], rows)}`;
}

function queriesSection(): string {
  const rows = NAMED_QUERIES.map(({ name, description }) => [`\`${name}\``, description]);
  const texts = NAMED_QUERIES.map(({ name, sql }) => `\`${name}\`:\n\n\`\`\`sql\n${sql}\n\`\`\``);
  return [
    '## Named queries\n\nThey are ready to use in the workgroup, under "Saved queries".',
    table(['query', 'what it answers'], rows),
    ...texts,
  ].join('\n\n');
}

/** The text of the data dictionary, from the definitions of the lake. */
export async function dataDictionary(): Promise<string> {
  const plain = LAKE_TABLES.filter(({ partitions }) => !partitions.includes('merchant'));
  const byMerchant = LAKE_TABLES.filter(({ partitions }) => partitions.includes('merchant'));
  const text = [
    await readFile(INTRODUCTION, 'utf8'),
    queriesSection(),
    '## Views',
    ...LAKE_VIEWS.map(viewSection),
    historySection(),
    '## Tables',
    ...plain.map(tableSection),
    byMerchantSection(byMerchant),
  ].join('\n\n');
  return format(text, { ...(await resolveConfig(DICTIONARY)), filepath: DICTIONARY });
}

if (import.meta.main) {
  readFlags(
    'npm run dictionary\n\nWrites docs/data-dictionary.md from the definitions of the lake. It has no options.',
  );
  await writeFile(DICTIONARY, await dataDictionary());
}
