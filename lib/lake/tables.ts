import type { PeriodKind } from '#records/period/period.ts';
import { ledgerSchema } from '#records/ledger/ledger.ts';
import { statementSchema } from '#page/figures/statement.ts';
import {
  CHANGES as CHANGES_PREFIX,
  REGISTERED_MERCHANTS,
  STATEMENTS as STATEMENTS_PREFIX,
} from '#records/storage/keys.ts';
import { groupPageSchema } from '#page/figures/group-page.ts';
import { TABLES, manifestSchema } from '#records/revision/manifest.ts';
import type { Table } from '#records/revision/manifest.ts';
import { changeMarkerSchema } from '#records/storage/change-marker.ts';
import { columnsOfSchema } from '#lake/sql/columns.ts';
import type { LakeColumn } from '#lake/sql/columns.ts';
import {
  LEDGER_MEANINGS,
  STATEMENT_LEDGER_MEANINGS,
  CHANGE_MEANINGS,
  MANIFEST_MEANINGS,
  MERCHANT_MEANINGS,
} from '#lake/sql/meanings.ts';
import { STATEMENT_MEANINGS, GROUP_PAGE_MEANINGS } from './meanings.ts';
import { HISTORY_PREFIX } from '#lake/sql/lake-database.ts';
import { registeredMerchantSchema } from '#lake/sql/registered-merchant.ts';
import { REGISTERED } from '#lake/sql/views/merchants.ts';
import { csvTableColumns, jsonColumns } from '#lake/sql/record-columns.ts';

/**
 * The partition columns, in the order of the key. Values are strings. The name of a period is in two of them: its year, and what
 * follows the year. So one table has periods of all kinds, and a condition on the year is enough to leave out all other years.
 */
export type PartitionColumn = 'day' | 'noted_on' | 'merchant' | 'year' | 'part';

/** What each partition column adds to the key. Athena replaces `${day}` by the value. */
const IN_KEY: Record<PartitionColumn, string> = {
  day: 'day=${day}/',
  noted_on: 'noted_on=${noted_on}/',
  merchant: 'merchant=${merchant}/',
  year: 'period=${year}-',
  part: '${part}/',
};

/** What the catalogue and the contract of the lake say of them. */
export const PARTITION_COMMENTS: Record<PartitionColumn, string> = {
  day: "The day of the page, a date in the merchant's own zone [YYYY-MM-DD].",
  noted_on: 'The date of the marker in UTC, not the day of the page [YYYY-MM-DD].',
  merchant: 'The merchant; a query must give it as a literal.',
  year: 'The year in the name of the period [YYYY].',
  part: 'What follows the year in the name of the period [11 of a month, W47 of a week, 11-20 of a day].',
};

export interface LakeTable {
  name: string;
  description: string;
  /** The beginning of its objects' keys. The partition columns follow it, such as `day=<D>/merchant=<M>/`. */
  prefix: string;
  format: 'json' | 'csv';
  partitions: readonly PartitionColumn[];
  /** The kinds of periods of a table with the partition column `part`. */
  periods?: readonly PeriodKind[];
  columns: readonly LakeColumn[];
}

/** The key prefix of a partition's objects. A table without `merchant` reads all objects of the day or period. */
export function partitionTemplate({ prefix, partitions }: LakeTable): string {
  return prefix + partitions.map((column) => IN_KEY[column]).join('');
}

/** The beginning of the keys of all objects of a table, such as `days/day=`. */
export function keysBegin(table: LakeTable): string {
  const [beginning = table.prefix] = partitionTemplate(table).split('$');
  return beginning;
}

/** The same objects, with the merchant as the last partition column. */
function byMerchant(table: LakeTable): LakeTable {
  return {
    ...table,
    name: `merchant_${table.name}`,
    description: `${table.description} For the history of one merchant: asks for its code in the query, and reads its objects only.`,
    partitions: [...table.partitions, 'merchant'],
  };
}

function ledgerColumns(meanings: Record<string, string>): LakeTable['columns'] {
  // Only the ledgers of alerts have `says`, and these are in no table. `tells` is for the next report alone.
  const schema = ledgerSchema.unwrap().omit({ says: true, tells: true });
  return columnsOfSchema(schema, meanings, { figures: 'string' });
}

/** The ledgers of reports and corrections of days. Other ledgers have other keys and are not part of it. */
const MAIL: LakeTable = {
  name: 'mail',
  description:
    'The ledger of one mail: what became of a revision\'s report or correction. Merchant and revision are in "$path".',
  prefix: 'mail/',
  format: 'json',
  partitions: ['day'],
  columns: ledgerColumns(LEDGER_MEANINGS),
};

export const STATEMENT_MAIL: LakeTable = {
  name: 'statement_mail',
  description:
    'The ledger of one mail: what became of a statement or of a group\'s page. Merchant or group, and the revision, are in "$path".',
  prefix: 'mail/',
  format: 'json',
  partitions: ['year', 'part'],
  periods: ['month', 'week', 'day'],
  columns: ledgerColumns(STATEMENT_LEDGER_MEANINGS),
};

/** The statements of merchants: one row is a sealed revision. */
export const STATEMENTS: LakeTable = {
  name: 'statements',
  description:
    "One sealed revision of a merchant's statement of a week or month. A row without `merchantcode` is a group's page, and one without `digest` says that a statement was closed or reopened: the views leave out both.",
  prefix: STATEMENTS_PREFIX,
  format: 'json',
  partitions: ['year', 'part'],
  periods: ['month', 'week'],
  // A group's page in the same folder has objects in `missing`. A text takes both.
  columns: columnsOfSchema(statementSchema.unwrap(), STATEMENT_MEANINGS, {
    missing: 'string',
    breakdown: 'string',
    byCurrency: 'string',
  }),
};

/** The pages of groups of merchants: one row is a sealed revision. */
export const GROUP_PAGES: LakeTable = {
  name: 'group_pages',
  description:
    "One sealed revision of a group's page of a day, week or month. A row without `group` is a merchant's statement, which the views leave out.",
  prefix: STATEMENTS_PREFIX,
  format: 'json',
  partitions: ['year', 'part'],
  periods: ['month', 'week', 'day'],
  // A statement in the same folder has days in `missing`. A text takes both.
  columns: columnsOfSchema(groupPageSchema.unwrap(), GROUP_PAGE_MEANINGS, {
    missing: 'string',
    corrections: 'string',
  }),
};

const ROW: Record<Table, string> = {
  invoices: 'One invoice of a pull, every field as the service sent it.',
  refunds: 'One refund of a pull, every field as the service sent it.',
};
/** What stands in the description of each table of rows. */
export const ALL_REVISIONS =
  'Holds every revision, and what crashed pulls left: join with `days`, or use the views.';

/** The rows as JSON, with types where the contract gives them. */
function jsonTable(table: Table): LakeTable {
  return {
    name: table,
    description: `${ROW[table]} ${ALL_REVISIONS}`,
    prefix: `${table}/json/`,
    format: 'json',
    partitions: ['day'],
    columns: jsonColumns(table),
  };
}

/** The same rows as CSV: flat, and every column a string. */
function csvTable(table: Table): LakeTable {
  return {
    name: `${table}_csv`,
    description: `${ROW[table]} From the CSV files: every column is a string, an empty one stands for null. ${ALL_REVISIONS}`,
    prefix: `${table}/csv/`,
    format: 'csv',
    partitions: ['day'],
    columns: csvTableColumns(table),
  };
}

const manifestColumns = columnsOfSchema(manifestSchema.unwrap(), MANIFEST_MEANINGS, {
  // Their members have several types, or names that the service sent, or the rows and the earlier days describe them better.
  differences: 'string',
  notCompared: 'string',
  breakdown: 'string',
  drift: 'string',
  history: 'string',
});

/** The manifests: one row is a sealed revision. */
const DAYS: LakeTable = {
  name: 'days',
  description: 'One sealed revision of a merchant and day: its figures, and the files that hold its rows.',
  prefix: 'days/',
  format: 'json',
  partitions: ['day'],
  // The partition has the same name and value.
  columns: manifestColumns.filter(({ name }) => name !== 'day'),
};

/** The change markers: which days have changed since the history of the lake last read them. */
const CHANGES: LakeTable = {
  name: 'changes',
  description:
    'One marker: in the ten minutes from `notedat` on, something of a day was about to change. The history of the lake finds changed days with it, and people have no right to read it. Its partition is the UTC date of the marker, not the day of the page.',
  prefix: CHANGES_PREFIX,
  format: 'json',
  partitions: ['noted_on'],
  columns: columnsOfSchema(changeMarkerSchema.unwrap(), CHANGE_MEANINGS),
};

/** What the registry says of merchants, and said before. The function `lake` keeps it in one object. */
const MERCHANTS: LakeTable = {
  name: REGISTERED,
  description: 'One merchant, and what the registry said of it for some time. Use the views.',
  prefix: REGISTERED_MERCHANTS.slice(0, REGISTERED_MERCHANTS.lastIndexOf('/') + 1),
  format: 'json',
  partitions: [],
  columns: columnsOfSchema(registeredMerchantSchema.unwrap(), MERCHANT_MEANINGS),
};

const RECORDS = [...TABLES.map(jsonTable), ...TABLES.map(csvTable)];

export const LAKE_TABLES: readonly LakeTable[] = [
  ...RECORDS,
  DAYS,
  MAIL,
  CHANGES,
  STATEMENTS,
  GROUP_PAGES,
  STATEMENT_MAIL,
  MERCHANTS,
  ...[...RECORDS, DAYS, STATEMENTS].map(byMerchant),
];

/**
 * Tables whose objects analysts may not read: the ledgers of mails, whose folder also has notices to the operators, and the change
 * markers. Analysts have `mail_history` for mails.
 */
export const OPERATORS_ONLY: readonly string[] = ['mail', 'statement_mail', 'changes'];

const FOR_ANALYSTS = LAKE_TABLES.filter(({ name }) => !OPERATORS_ONLY.includes(name));

/** The objects that analysts may read: keys, with a star for any text. */
export const ANALYST_OBJECTS = [...new Set([...FOR_ANALYSTS.map(keysBegin), HISTORY_PREFIX])].map(
  (beginning) => `${beginning}*` as const,
);

/** Beginnings of keys that analysts may list. */
export const ANALYST_FOLDERS: readonly string[] = [
  ...new Set([...FOR_ANALYSTS.map(({ prefix }) => prefix), HISTORY_PREFIX]),
];
