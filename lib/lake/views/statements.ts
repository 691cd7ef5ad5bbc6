import { adjustmentSchema, statementDaySchema } from '#page/figures/statement.ts';
import type { LakeView, ViewColumn } from '#lake/sql/lake-view.ts';
import { meaningOf } from '#lake/sql/columns.ts';
import { STATEMENT_MEANINGS } from '../meanings.ts';
import { NEWEST_MERCHANTS } from '#lake/sql/views/merchants.ts';
import { mustHoldWhere, objectKey } from '#lake/sql/sealed-files.ts';
import { STATEMENTS as STATEMENTS_PREFIX } from '#records/storage/keys.ts';
import { STATEMENT_LEDGER_MEANINGS } from '#lake/sql/meanings.ts';
import { STATEMENTS, STATEMENT_MAIL } from '../tables.ts';
import {
  dayColumns,
  invoiceColumns,
  netColumns,
  refundColumns,
  ownColumn,
  textColumn,
  utcColumn,
  fromAndTo,
  periodColumns,
  membersOf,
  ledgerColumns,
  countColumn,
  amountColumn,
} from '#lake/sql/views/columns.ts';

interface SealedPages {
  table: string;
  /** The first word of the folder of each owner's pages. */
  folder: 'merchant' | 'group';
  owner: string;
  content: string;
  called: string;
}

/** The end of a key: the owner's name, and the number of the revision, with zeros up to four digits. */
const OWNER_AND_REVISION = '([A-Za-z0-9-]{1,64})/r([0-9]{4}|[1-9][0-9]{4,8})[.]json$';

/**
 * The newest revision of each owner and period. Merchants' statements and groups' pages are in the same folders: the key says whose
 * an object is. Objects with other keys, such as copies, are left out. An object that is not the page of its key stops the query of
 * its period.
 *
 * A condition on `year` and `part` reaches the partitions, because rows are numbered within a period.
 */
export function newestPages({ table, folder, owner, content, called }: SealedPages): string {
  const pattern = `'^${STATEMENTS_PREFIX}period=[^/]+/${folder}=${OWNER_AND_REVISION}'`;
  const isPageOfItsKey = `"${owner}" = "key_owner" AND "revision" = "key_revision" AND "period" = "year" || '-' || "part" AND "${content}" IS NOT NULL`;
  return `(
  SELECT * FROM (
    SELECT *, row_number() OVER (PARTITION BY "year", "part", "${owner}" ORDER BY "revision" DESC) AS "age"
    FROM (
      SELECT
        *,
        ${objectKey(`"${table}"`)} AS "object_key",
        regexp_extract(${objectKey(`"${table}"`)}, ${pattern}, 1) AS "key_owner",
        CAST(regexp_extract(${objectKey(`"${table}"`)}, ${pattern}, 2) AS bigint) AS "key_revision"
      FROM "${table}"
    )
    WHERE ${mustHoldWhere('"key_owner" IS NOT NULL', isPageOfItsKey, `'a line is no ${called}: ' || "object_key"`)}
  ) WHERE "age" = 1
)`;
}

const NEWEST_STATEMENTS = newestPages({
  table: STATEMENTS.name,
  folder: 'merchant',
  owner: 'merchantcode',
  content: 'days',
  called: 'statement',
});

const WITH_NAMES = `${NEWEST_STATEMENTS} AS s
LEFT JOIN ${NEWEST_MERCHANTS} AS m ON m."merchantcode" = s."merchantcode"`;

/** What a statement does not seal, or not in earlier versions. */
const NAMES: readonly ViewColumn[] = [
  textColumn('merchant_name', 'm."name"', "The merchant's name in the registry now.", true),
  textColumn(
    'time_zone',
    'coalesce(s."timezone", m."timezone")',
    "The merchant's zone, as sealed; in statements of earlier versions as the registry says now. [IANA name]",
    true,
  ),
];

function countAndSum(name: string, of: string, meaning: string): ViewColumn[] {
  return [
    countColumn(name, `${of}."count"`, meaning),
    amountColumn(`${name}_amount`, `${of}."sum"`, 'Their sum; null likewise.'),
  ];
}

export const LATEST_STATEMENTS: LakeView = {
  name: 'latest_statements',
  description: 'One merchant and week or month: its newest statement.',
  columns: [
    ...periodColumns('s'),
    textColumn('merchant_code', 's."merchantcode"', STATEMENT_MEANINGS.merchantCode),
    ownColumn('revision', 'bigint', 's."revision"', 'Number of the newest revision: how many there are.'),
    textColumn('currency', 's."currency"', STATEMENT_MEANINGS.currency, true),
    ...fromAndTo('s', STATEMENT_MEANINGS.from, STATEMENT_MEANINGS.to),
    utcColumn('sealed_at', 's."sealedat"', STATEMENT_MEANINGS.sealedAt),
    utcColumn('scheduled_time', 's."scheduledtime"', STATEMENT_MEANINGS.scheduledTime, true),
    utcColumn(
      'oldest_page_at',
      's."asof"."oldest"',
      'When the pull of its oldest page began; null without a page.',
      true,
    ),
    utcColumn(
      'newest_page_at',
      's."asof"."newest"',
      'When the pull of its newest page began; null without a page.',
      true,
    ),
    ownColumn('final', 'boolean', 's."final"', STATEMENT_MEANINGS.final),
    ownColumn(
      'sealed_days',
      'bigint',
      'cardinality(s."days")',
      'Days that were added up; `statement_days` has them. [count]',
    ),
    ownColumn(
      'missing_days',
      'array(varchar)',
      'CAST(json_parse(s."missing") AS array(varchar))',
      'Expected days that are not sealed. [YYYY-MM-DD]',
    ),
    ownColumn('unbalanced_days', 'array(varchar)', 's."unbalanced"', STATEMENT_MEANINGS.unbalanced),
    ...invoiceColumns('s'),
    ...refundColumns('s."refunds"', false),
    ...netColumns('s."net"'),
    countColumn('payments', 's."received"."count"', 'Payments that came in; null where it is unknown.'),
    ...countAndSum(
      'issued',
      's."issued"',
      `${meaningOf(STATEMENT_MEANINGS.issued).meaning} The next ten add up to it.`,
    ),
    ...['paid', 'open', 'expired', 'cancelled', 'other'].flatMap((state) =>
      countAndSum(`issued_${state}`, `s."issued"."${state}"`, `Of them ${state} then; null likewise.`),
    ),
    ...countAndSum('open_before', 's."openbefore"', STATEMENT_MEANINGS.openBefore),
    ...['paid', 'cancelled', 'other'].flatMap((state) =>
      countAndSum(
        `settled_${state}`,
        `s."settled"."${state}"`,
        `Open invoices of any day that became ${state} in the period; null as in \`open_before\`.`,
      ),
    ),
    ...countAndSum('expired', 's."expired"', STATEMENT_MEANINGS.expired),
    ...countAndSum('open_after', 's."openafter"', STATEMENT_MEANINGS.openAfter),
    {
      ...textColumn('ageing', 'json_format(CAST(s."ageing" AS json))', STATEMENT_MEANINGS.ageing, true),
      unit: 'JSON array of from, to, open, expired',
    },
    textColumn('breakdown', 's."breakdown"', STATEMENT_MEANINGS.breakdown, true),
    textColumn('digest', 's."digest"', STATEMENT_MEANINGS.digest),
    textColumn('previous', 's."previous"', STATEMENT_MEANINGS.previous, true),
    utcColumn('closed_at', 's."closedat"', STATEMENT_MEANINGS.closedAt, true),
    utcColumn('reopened_at', 's."reopenedat"', STATEMENT_MEANINGS.reopenedAt, true),
    ...NAMES,
  ],
  from: WITH_NAMES,
};

/** Of which newest statement a row is. @param revision what its number is */
function statementColumns(revision: string): ViewColumn[] {
  return [
    ...periodColumns('s'),
    textColumn('merchant_code', 's."merchantcode"', 'The merchant.'),
    ownColumn('revision', 'bigint', 's."revision"', revision),
  ];
}

const NUMBER = 'Number of the newest revision of the statement';
const NO_PARTITION = 'No partition: a condition on `year` and `part` is what keeps a query cheap.';

/** What an adjustment says of a figure: before, now, and what that adds. */
function adjustedColumns(figure: 'received' | 'refunded' | 'charges' | 'net'): ViewColumn[] {
  const [was, is] = [`a."was"."${figure}"`, `a."is"."${figure}"`];
  const added = `CAST(${is} AS decimal(38,3)) - CAST(${was} AS decimal(38,3))`;
  const unknown = 'null where it is unknown.';
  return [
    amountColumn(`${figure}_was`, was, `\`${figure}\` of the day as told so far; ${unknown}`),
    amountColumn(`${figure}_is`, is, `The same as the newest page of the day says; ${unknown}`),
    amountColumn(`${figure}_added`, added, 'The difference; null where one of the two is unknown.'),
  ];
}

/** One row per adjustment in each newest statement. */
export const ADJUSTMENTS: LakeView = {
  name: 'adjustments',
  description:
    'What a newest statement tells of closed ones before it: one row per day and currency. The days of a closed statement in `statement_days`, with `received_added` and the like of all its adjustments, are what `latest_days` says now.',
  columns: [
    ...statementColumns(`${NUMBER} that tells it.`),
    textColumn('closed_period', 'a."period"', 'The period of the closed statement.'),
    ...dayColumns('a', `The day that changed. ${NO_PARTITION}`),
    ownColumn('day_revision', 'bigint', 'a."revision"', 'The revision of the day that says so.'),
    textColumn('currency', 'a."currency"', 'The currency of all amounts, three capitals.'),
    ownColumn(
      'reasons',
      'array(varchar)',
      'a."reasons"',
      'Why: day, currency, payments, refunds, charges, balance, reopened.',
    ),
    ...[
      { when: 'was', says: 'Payments that came in, as told so far; null where it is unknown.' },
      { when: 'is', says: 'The same as the newest page of the day says; null likewise.' },
    ].map(({ when, says }) => countColumn(`payments_${when}`, `a."${when}"."payments"`, says)),
    ...(['received', 'refunded', 'charges', 'net'] as const).flatMap(adjustedColumns),
    ...NAMES,
  ],
  from: `${WITH_NAMES}
CROSS JOIN UNNEST(s."adjustments") AS a (${membersOf(adjustmentSchema)})`,
};

export const STATEMENT_DAYS: LakeView = {
  name: 'statement_days',
  description:
    'One day that a newest statement adds up, with the figures that it had in the revision that was used. The days of a statement add up to `latest_statements` to the thousandth.',
  columns: [
    ...statementColumns(`${NUMBER}.`),
    textColumn(
      'currency',
      'coalesce(d."currency", s."currency")',
      'The currency of all amounts of the day, three capitals.',
    ),
    ...dayColumns('d', `The day. ${NO_PARTITION}`),
    ownColumn('day_revision', 'bigint', 'd."revision"', 'The revision of the day that was used.'),
    ownColumn('balanced', 'boolean', 'd."balanced"', 'Whether this revision balances.'),
    ...invoiceColumns('d'),
    ...refundColumns('d."refunds"', true),
    ...netColumns('d."net"'),
    countColumn('payments', 'd."received"."count"', 'Payments that came in; null where it is unknown.'),
    ...NAMES,
  ],
  from: `${WITH_NAMES}
CROSS JOIN UNNEST(s."days") AS d (${membersOf(statementDaySchema)})`,
};

const MAIL_TABLE = `"${STATEMENT_MAIL.name}"`;
/** A ledger's key: merchant or group, its name, and the revision. */
const LEDGER_KEY = "'^mail/period=[^/]+/(merchant|group)=([^/]+)/r([0-9]+)[.]json$'";

function inKey(part: 1 | 2 | 3): string {
  return `regexp_extract(${objectKey(MAIL_TABLE)}, ${LEDGER_KEY}, ${part})`;
}

/** One row per ledger. Owner and revision are in the key only. */
export const LATEST_STATEMENT_MAIL: LakeView = {
  name: 'latest_statement_mail',
  description:
    "The mail of one revision of a statement or of a group's page: what became of it, without any address.",
  columns: [
    ...periodColumns('m'),
    textColumn(
      'merchant_code',
      `CASE m."whose" WHEN 'merchant' THEN m."owner" END`,
      "The merchant; null for a group's page.",
      true,
    ),
    textColumn(
      'group_name',
      `CASE m."whose" WHEN 'group' THEN m."owner" END`,
      "The group; null for a merchant's statement.",
      true,
    ),
    ownColumn('revision', 'bigint', 'm."revision"', 'The revision that the mail is about.'),
    ...ledgerColumns(STATEMENT_LEDGER_MEANINGS),
  ],
  // A copy beside a ledger has another key. It is not a ledger.
  from: `(
  SELECT
    *,
    ${objectKey(MAIL_TABLE)} AS "object_key",
    ${inKey(1)} AS "whose",
    ${inKey(2)} AS "owner",
    CAST(${inKey(3)} AS bigint) AS "revision"
  FROM ${MAIL_TABLE}
) AS m
WHERE ${mustHoldWhere('m."revision" IS NOT NULL', 'm."recipients" IS NOT NULL', `'a line is no ledger: ' || m."object_key"`)}`,
};
