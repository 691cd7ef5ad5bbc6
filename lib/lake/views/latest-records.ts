import type { Table } from '#records/revision/manifest.ts';
import { amount, date, datetime } from '#records/rows/contract-types.ts';
import type { SchemaColumn } from '../columns-of-schema.ts';
import type { LakeView, ViewColumn, ViewType } from '../lake-view.ts';
import { flatColumns, isNeeded } from '../record-columns.ts';
import { fileOf, mustBeOfItsPage, newestSealed, objectKey } from '../sealed-files.ts';

/** Columns whose type the contract does not show. By their names they are amounts or moments; values are read so where possible. */
const PERHAPS: Record<string, ViewType> = {
  'transaction.Amount': 'decimal(38,3)',
  'transaction.paid_on': 'timestamp(3)',
};
const PERHAPS_OF: Record<Table, readonly string[]> = {
  invoices: Object.keys(PERHAPS),
  refunds: [],
};

/** How the view reads a column: its type, and whether a value that cannot be read becomes null instead of an error. */
function reading(table: Table, { name, schema, type }: SchemaColumn): { type: ViewType; lenient: boolean } {
  const perhaps = PERHAPS_OF[table].includes(name) ? PERHAPS[name] : undefined;
  if (perhaps !== undefined) return { type: perhaps, lenient: true };
  // An amount that a row is not sealed without must not silently be missing from a sum.
  if (schema === amount) return { type: 'decimal(38,3)', lenient: !isNeeded(table, name) };
  // A wrong date, such as 0000-00-00, must not break the query. The table has it as text.
  if (schema === date) return { type: 'date', lenient: true };
  if (schema === datetime) return { type: 'timestamp(3)', lenient: true };
  if (typeof type !== 'string') return { type: 'array(varchar)', lenient: false };
  return { type: type === 'string' ? 'varchar' : type, lenient: false };
}

const CAST_FROM_TEXT: readonly ViewType[] = ['decimal(38,3)', 'date', 'timestamp(3)'];

function recordColumn(table: Table, column: SchemaColumn): ViewColumn {
  const { type, lenient } = reading(table, column);
  const path = column.name
    .toLowerCase()
    .split('.')
    .map((name) => `"${name}"`)
    .join('.');
  const cast = CAST_FROM_TEXT.includes(type) ? (lenient ? 'try_cast' : 'CAST') : undefined;
  return {
    name: column.name.toLowerCase().replace('.', '_'),
    type,
    expression: cast === undefined ? `r.${path}` : `${cast}(r.${path} AS ${type})`,
    nullable: column.nullable || lenient || column.name.includes('.'),
    meaning: column.meaning,
    contract: column.contract,
    ...(column.unit !== undefined && { unit: column.unit }),
    ...(column.personal !== undefined && { personal: column.personal }),
  };
}

/** The page of a row. */
const PAGE: ViewColumn[] = [
  {
    name: 'day',
    type: 'varchar',
    expression: 's."day"',
    nullable: false,
    meaning: 'The day of the page. The partition: a condition on it is what keeps a query cheap.',
    unit: 'YYYY-MM-DD',
    contract: 'Daybook',
  },
  {
    name: 'business_date',
    type: 'date',
    expression: 'CAST(s."day" AS date)',
    nullable: false,
    meaning: "The same as a date, in the merchant's own zone.",
    unit: 'date',
    contract: 'Daybook',
  },
  {
    name: 'merchant_code',
    type: 'varchar',
    expression: 's."merchantcode"',
    nullable: false,
    meaning: 'The merchant whose page it is.',
    contract: 'Daybook',
  },
  {
    name: 'revision',
    type: 'bigint',
    expression: 's."revision"',
    nullable: false,
    meaning: 'Number of the revision, which is the newest.',
    contract: 'Daybook',
  },
];

const QUERY_TYPE: ViewColumn = {
  name: 'query_type',
  type: 'varchar',
  expression: 'r."_query_type"',
  nullable: false,
  meaning: 'The `invoiceType` that was asked for.',
  contract: 'Daybook',
};

/** The rows of each day's newest sealed revision. */
export function latestRecords(table: Table, description: string): LakeView {
  return {
    name: `latest_${table}`,
    description,
    columns: [
      ...PAGE,
      ...(table === 'invoices' ? [QUERY_TYPE] : []),
      ...flatColumns(table).map((column) => recordColumn(table, column)),
    ],
    from: `"${table}" AS r
JOIN (SELECT "day", "merchantcode", "revision", ${fileOf(table, 'json')} AS "file" FROM ${newestSealed()}) AS s
  ON r."day" = s."day" AND ${objectKey('r')} = s."file"
  AND ${mustBeOfItsPage('r', 's')}`,
  };
}
