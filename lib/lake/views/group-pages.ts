import { groupMemberSchema } from '#page/figures/group-page.ts';
import type { LakeView, ViewColumn } from '#lake/sql/lake-view.ts';
import {
  amountColumn,
  countColumn,
  fromAndTo,
  invoiceColumns,
  membersOf,
  netColumns,
  ownColumn,
  periodColumns,
  refundColumns,
  textColumn,
  utcColumn,
} from '#lake/sql/views/columns.ts';
import { GROUP_PAGE_MEANINGS } from '../meanings.ts';
import { GROUP_PAGES } from '../tables.ts';
import { newestPages } from './statements.ts';

const NEWEST_GROUP_PAGES = newestPages({
  table: GROUP_PAGES.name,
  folder: 'group',
  owner: 'group',
  content: 'merchants',
  called: 'page of a group',
});

/** Null in the one row of a page without merchants. */
function orNull(columns: readonly ViewColumn[]): ViewColumn[] {
  return columns.map((column) => ({ ...column, nullable: true }));
}

/** Earlier versions took refunds off the paid ones of the invoices made then. All sums of a page are of one version. */
const IS_OF_PAYMENTS = `any_match(map_values(p."bycurrency"), s -> s."net"."basis" = 'cameIn')`;

/** One row per group, period and currency, from the newest revision of the group's page. */
export const LATEST_GROUP_PAGES: LakeView = {
  name: 'latest_group_pages',
  description:
    "One group, period and currency: the sums of the group's newest page. A page without a merchant has one row without a currency.",
  columns: [
    ...periodColumns('p'),
    textColumn('group_name', 'p."group"', GROUP_PAGE_MEANINGS.group),
    ownColumn('revision', 'bigint', 'p."revision"', 'Number of the newest revision: how many there are.'),
    ...fromAndTo('p', GROUP_PAGE_MEANINGS.from, GROUP_PAGE_MEANINGS.to),
    utcColumn('sealed_at', 'p."sealedat"', GROUP_PAGE_MEANINGS.sealedAt),
    utcColumn('scheduled_time', 'p."scheduledtime"', GROUP_PAGE_MEANINGS.scheduledTime, true),
    ownColumn('final', 'boolean', 'p."final"', GROUP_PAGE_MEANINGS.final),
    countColumn(
      'missing_merchants',
      'json_array_length(p."missing")',
      'Merchants of the group without a page.',
      false,
    ),
    textColumn('missing', 'p."missing"', GROUP_PAGE_MEANINGS.missing),
    ...orNull([
      // Athena may write the names of members in small letters.
      textColumn('currency', 'upper(c."currency")', 'The currency of the sums, three capitals.'),
      countColumn(
        'merchants',
        'c."sums"."merchants"',
        'Merchants with a page in this currency; `latest_group_merchants` has them.',
      ),
      ...invoiceColumns('c."sums"'),
      ...refundColumns('c."sums"."refunds"', true),
      ...netColumns('c."sums"."net"'),
    ]),
    textColumn('digest', 'p."digest"', GROUP_PAGE_MEANINGS.digest),
    textColumn('previous', 'p."previous"', GROUP_PAGE_MEANINGS.previous, true),
  ],
  from: `${NEWEST_GROUP_PAGES} AS p
LEFT JOIN UNNEST(p."bycurrency") AS c ("currency", "sums") ON TRUE`,
};

/** One row per merchant in each newest page of a group. */
export const LATEST_GROUP_MERCHANTS: LakeView = {
  name: 'latest_group_merchants',
  description: "One merchant in a group's newest page.",
  columns: [
    ...periodColumns('p'),
    textColumn('group_name', 'p."group"', "The group's name in the registry."),
    ownColumn('revision', 'bigint', 'p."revision"', "Number of the newest revision of the group's page."),
    textColumn('merchant_code', 'm."merchantcode"', 'The merchant.'),
    textColumn('merchant_name', 'm."name"', "The merchant's name in the registry, any text."),
    textColumn(
      'currency',
      'm."currency"',
      'The currency of its amounts, three capitals; null where its days are of several: then no amount is added up.',
      true,
    ),
    ownColumn(
      'merchant_revision',
      'bigint',
      'm."revision"',
      'The revision of its day or statement that was added up.',
    ),
    ...fromAndTo('m', 'The first day of its page.', 'The last day of its page.'),
    ownColumn(
      'balanced',
      'boolean',
      'm."balanced"',
      'Whether its page balances: of a week or month, whether all of its days do.',
    ),
    ownColumn('final', 'boolean', 'm."final"', 'Whether its page is final: of a day, whether it balances.'),
    ...invoiceColumns('m'),
    ...refundColumns('m."refunds"', false),
    amountColumn(
      'received',
      `CASE WHEN ${IS_OF_PAYMENTS} THEN m."received" END`,
      'What came in: payments by their own day, whatever day the invoice was made; null where it is unknown.',
    ),
    amountColumn(
      'refunded',
      'm."refunded"',
      'Approved refunds by the date of the refund; null where it is unknown, or of an earlier version.',
    ),
    amountColumn(
      'net',
      `CASE WHEN ${IS_OF_PAYMENTS} THEN m."net" END`,
      'What is left of it after refunds and charges; null where it is unknown.',
    ),
    amountColumn(
      'usual_received',
      'm."usual"."received"',
      'What it usually receives: the average of the weekday in the four weeks before, or the period before; null where it is unknown.',
    ),
    ownColumn(
      'usual_invoices',
      'double',
      'm."usual"."total"',
      'How many invoices it usually has; null where it is unknown. [count]',
      true,
    ),
  ],
  from: `${NEWEST_GROUP_PAGES} AS p
CROSS JOIN UNNEST(p."merchants") AS m (${membersOf(groupMemberSchema)})`,
};
