import { TABLES, manifestSchema } from '#records/revision/manifest.ts';
import type { Table } from '#records/revision/manifest.ts';
import { byMerchant } from '../lake-table.ts';
import type { LakeTable } from '../lake-table.ts';
import { GROUP_PAGES } from './group-pages.ts';
import { MAIL, STATEMENT_MAIL } from './mail.ts';
import { STATEMENTS } from './statements.ts';
import { changeMarkerSchema } from '#records/storage/change-marker.ts';
import { CHANGES as PREFIX } from '#records/storage/keys.ts';
import { columnsOfSchema } from '../columns-of-schema.ts';
import { CHANGE_MEANINGS } from '../meanings/change-marker.ts';
import { MANIFEST_MEANINGS } from '../meanings/manifest.ts';
import { csvTableColumns, jsonColumns } from '../record-columns.ts';

const ROW: Record<Table, string> = {
  invoices: 'One invoice of a pull, every field as the service sent it.',
  refunds: 'One refund of a pull, every field as the service sent it.',
};
const ALL_REVISIONS =
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

const columns = columnsOfSchema(manifestSchema.unwrap(), {
  meanings: MANIFEST_MEANINGS,
  contract: 'Daybook',
  // Their members have several types, or names that the service sent, or the rows and the earlier days describe them better.
  types: {
    differences: 'string',
    notCompared: 'string',
    breakdown: 'string',
    drift: 'string',
    history: 'string',
  },
});

/** The manifests: one row is a sealed revision. */
const DAYS: LakeTable = {
  name: 'days',
  description: 'One sealed revision of a merchant and day: its figures, and the files that hold its rows.',
  prefix: 'days/',
  format: 'json',
  partitions: ['day'],
  // The partition has the same name and value.
  columns: columns.filter(({ name }) => name !== 'day'),
};

/** The change markers: which days have changed since the history of the lake last read them. */
const CHANGES: LakeTable = {
  name: 'changes',
  description:
    'One marker: in the ten minutes from `notedat` on, something of a day was about to change. The history of the lake finds changed days with it, and people have no right to read it. Its partition is the UTC date of the marker, not the day of the page.',
  prefix: PREFIX,
  format: 'json',
  partitions: ['noted_on'],
  columns: columnsOfSchema(changeMarkerSchema.unwrap(), {
    meanings: CHANGE_MEANINGS,
    contract: 'Daybook',
  }),
};

const RECORDS = [...TABLES.map(jsonTable), ...TABLES.map(csvTable)];

/** Every table of the lake. */
export const LAKE_TABLES: readonly LakeTable[] = [
  ...RECORDS,
  DAYS,
  MAIL,
  CHANGES,
  STATEMENTS,
  GROUP_PAGES,
  STATEMENT_MAIL,
  ...[...RECORDS, DAYS, STATEMENTS].map(byMerchant),
];
