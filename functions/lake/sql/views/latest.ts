import type { Table } from '#records/revision/manifest.ts';
import { amount, date, datetime } from '#records/rows/contract-types.ts';
import type { SchemaColumn } from '../columns.ts';
import type { LakeView, ViewColumn, ViewType } from '../lake-view.ts';
import { flatColumns, isNeeded } from '../record-columns.ts';
import { newestWithWords } from '../page-words.ts';
import { fileOf, mustBeOfItsPage, objectKey, dataFileOf, mustHold } from '../sealed-files.ts';
import { MANIFEST_MEANINGS, LEDGER_MEANINGS } from '../meanings.ts';
import {
  amountColumn,
  countColumn,
  dayColumns,
  ledgerColumns,
  ownColumn,
  textColumn,
  utcColumn,
} from './columns.ts';
import { DAY_CURRENCY, DAY_FIGURES } from './day-figures.ts';
import { ROW_WORDS } from './row-words.ts';

/** Columns whose type the contract does not show. By their names they are amounts or moments; values are read so where possible. */
const PERHAPS: Record<Table, Record<string, ViewType>> = {
  invoices: { 'transaction.Amount': 'decimal(38,3)', 'transaction.paid_on': 'timestamp(3)' },
  refunds: {},
};

/** How the view reads a column: its type, and whether a value that cannot be read becomes null instead of an error. */
function reading(table: Table, { name, schema, type }: SchemaColumn): { type: ViewType; lenient: boolean } {
  const perhaps = PERHAPS[table][name];
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
  const { schema: _schema, members: _members, ...described } = column;
  const { type, lenient } = reading(table, column);
  const path = column.name
    .toLowerCase()
    .split('.')
    .map((name) => `"${name}"`)
    .join('.');
  const cast = CAST_FROM_TEXT.includes(type) ? (lenient ? 'try_cast' : 'CAST') : undefined;
  return {
    ...described,
    name: column.name.toLowerCase().replace('.', '_'),
    type,
    expression: cast === undefined ? `r.${path}` : `${cast}(r.${path} AS ${type})`,
    nullable: column.nullable || lenient || column.name.includes('.'),
  };
}

const PAGE = [
  ...dayColumns('s', 'The day of the page. The partition: a condition on it is what keeps a query cheap.'),
  textColumn('merchant_code', 's."merchantcode"', 'The merchant whose page it is.'),
  ownColumn('revision', 'bigint', 's."revision"', 'Number of the revision, which is the newest.'),
];

const QUERY_TYPE = textColumn('query_type', 'r."_query_type"', 'The `invoiceType` that was asked for.');

function latestRecords(table: Table, description: string): LakeView {
  return {
    name: `latest_${table}`,
    description,
    columns: [
      ...PAGE,
      ...(table === 'invoices' ? [QUERY_TYPE] : []),
      ...flatColumns(table).map((column) => recordColumn(table, column)),
      ...ROW_WORDS[table],
    ],
    from: `"${table}" AS r
JOIN (SELECT *, ${fileOf(table, 'json')} AS "file" FROM ${newestWithWords()}) AS s
  ON r."day" = s."day" AND ${objectKey('r')} = s."file"
  AND ${mustBeOfItsPage('r', 's')}`,
  };
}

export const LATEST_INVOICES = latestRecords(
  'invoices',
  'One invoice as the newest sealed revision of its day has it.',
);

export const LATEST_REFUNDS = latestRecords(
  'refunds',
  'One refund as the newest sealed revision of its day has it.',
);

/** An amount of one merchant, whose currency is one. */
function merchantAmount(name: string, path: string, text: string, nullable = true): ViewColumn {
  const unit = "amount in the merchant's currency, three fraction digits";
  return { ...amountColumn(name, `d.${path}`, text, nullable), unit };
}

function rowsOf(table: Table): string {
  return `${dataFileOf(table, 'json', 'd')}."rows"`;
}

const IF_STATED = 'null where the service does not say.';
const IF_CONFIGURED = 'null where the registry has no `invoiceStatuses`.';

export const LATEST_DAYS: LakeView = {
  name: 'latest_days',
  description: 'One merchant and day: the figures of its newest sealed revision.',
  columns: [
    ...dayColumns('d'),
    textColumn('merchant_code', 'd."merchantcode"', MANIFEST_MEANINGS.merchantCode),
    ownColumn('revision', 'bigint', 'd."revision"', 'Number of the newest revision: how many there are.'),
    utcColumn('pulled_at', 'd."pulledat"', MANIFEST_MEANINGS.pulledAt),
    utcColumn('scheduled_time', 'd."scheduledtime"', MANIFEST_MEANINGS.scheduledTime, true),
    ownColumn('balanced', 'boolean', 'd."balanced"', MANIFEST_MEANINGS.balanced),
    textColumn('differences', 'd."differences"', MANIFEST_MEANINGS.differences),
    textColumn('not_compared', 'd."notcompared"', MANIFEST_MEANINGS.notCompared, true),
    countColumn('invoices', 'd."counts"."total"', `Invoices; ${IF_STATED}`),
    countColumn('paid', 'd."counts"."paid"', `Of them paid when the day was last read; ${IF_STATED}`),
    countColumn('not_paid', 'd."counts"."notpaid"', `Of them not paid; ${IF_STATED}`),
    countColumn('cancelled', 'd."counts"."cancelled"', `Of them cancelled; ${IF_STATED}`),
    countColumn(
      'other',
      'd."counts"."other"',
      'Of them in no state that the service counts; null where that is not known.',
    ),
    merchantAmount(
      'paid_amount',
      '"amounts"."paid"',
      `Sum of the invoices made on the day and paid when it was last read; what is paid later is in no figure; ${IF_CONFIGURED}`,
    ),
    merchantAmount('not_paid_amount', '"amounts"."notpaid"', `Sum of those not paid; ${IF_CONFIGURED}`),
    merchantAmount(
      'cancelled_amount',
      '"amounts"."cancelled"',
      `Sum of the cancelled ones; ${IF_CONFIGURED}`,
    ),
    merchantAmount('other_amount', '"amounts"."other"', `Sum of the others; ${IF_CONFIGURED}`),
    countColumn('refunds', 'd."refunds"."count"', 'Refunds whose `refund_at` is the day.', false),
    merchantAmount('refund_amount', '"refunds"."total"', 'Their sum, over all statuses.', false),
    countColumn('invoice_rows', rowsOf('invoices'), 'Rows of the revision in `invoices`.', false),
    countColumn('refund_rows', rowsOf('refunds'), 'Rows of the revision in `refunds`.', false),
    DAY_CURRENCY,
    textColumn('drift', 'd."drift"', MANIFEST_MEANINGS.drift),
    textColumn('pull', 'd."pull"', MANIFEST_MEANINGS.pull),
    textColumn('digest', 'd."digest"', MANIFEST_MEANINGS.digest),
    ...DAY_FIGURES,
  ],
  from: `${newestWithWords()} AS d`,
};

const LEDGER = '^mail/day=[^/]+/merchant=([^/]+)/r([0-9]+)[.]json$';

/** One row per ledger. Merchant and revision are in the key only. */
export const LATEST_MAIL: LakeView = {
  name: 'latest_mail',
  description: "The mail of one revision of a merchant's day: what became of it, without any address.",
  columns: [
    ...dayColumns('m'),
    textColumn('merchant_code', 'm."merchant_code"', 'The merchant.'),
    ownColumn('revision', 'bigint', 'm."revision"', 'The revision that the mail is about.'),
    ...ledgerColumns(LEDGER_MEANINGS),
  ],
  // A copy beside a ledger has another key. It is not a ledger.
  from: `(
  SELECT
    *,
    regexp_extract(${objectKey('"mail"')}, '${LEDGER}', 1) AS "merchant_code",
    CAST(regexp_extract(${objectKey('"mail"')}, '${LEDGER}', 2) AS bigint) AS "revision"
  FROM "mail"
) AS m
WHERE m."revision" IS NOT NULL
  AND ${mustHold('m."recipients" IS NOT NULL', `'a line is no ledger: day ' || m."day"`)}`,
};
