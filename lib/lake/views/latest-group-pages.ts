import type { LakeView, ViewColumn } from '../lake-view.ts';
import { GROUP_PAGE_MEANINGS as MEANINGS } from '../meanings/group-page.ts';
import { NEWEST_GROUP_PAGES } from '../sealed-pages.ts';
import { countColumn, invoiceColumns, netColumns, refundColumns } from './figure-columns.ts';
import { ownColumn, utcColumn } from './own-column.ts';
import { fromAndTo, periodColumns } from './period-columns.ts';

/** Null in the one row of a page without merchants. */
function orNull(columns: readonly ViewColumn[]): ViewColumn[] {
  return columns.map((column) => ({ ...column, nullable: true }));
}

/** One row per group, period and currency, from the newest revision of the group's page. */
export const LATEST_GROUP_PAGES: LakeView = {
  name: 'latest_group_pages',
  description:
    "One group, period and currency: the sums of the group's newest page. A page without a merchant has one row without a currency.",
  columns: [
    ...periodColumns('p'),
    ownColumn('group_name', 'varchar', 'p."group"', MEANINGS.group.meaning),
    ownColumn('revision', 'bigint', 'p."revision"', 'Number of the newest revision: how many there are.'),
    ...fromAndTo('p', { from: MEANINGS.from.meaning, to: MEANINGS.to.meaning }),
    utcColumn('sealed_at', 'p."sealedat"', MEANINGS.sealedAt.meaning),
    utcColumn('scheduled_time', 'p."scheduledtime"', MEANINGS.scheduledTime.meaning, true),
    ownColumn('final', 'boolean', 'p."final"', MEANINGS.final.meaning),
    countColumn(
      'missing_merchants',
      'json_array_length(p."missing")',
      'Merchants of the group without a page.',
      false,
    ),
    ownColumn('missing', 'varchar', 'p."missing"', MEANINGS.missing.meaning, {
      unit: 'JSON array of merchantCode, name, reason',
    }),
    ...orNull([
      // Athena may write the names of members in small letters.
      ownColumn('currency', 'varchar', 'upper(c."currency")', 'The currency of the sums, three capitals.'),
      countColumn(
        'merchants',
        'c."sums"."merchants"',
        'Merchants with a page in this currency; `latest_group_merchants` has them.',
      ),
      ...invoiceColumns('c."sums"'),
      ...refundColumns('c."sums"."refunds"', true),
      ...netColumns('c."sums"."net"'),
    ]),
    ownColumn('digest', 'varchar', 'p."digest"', MEANINGS.digest.meaning, { unit: 'SHA-256, hex' }),
    ownColumn('previous', 'varchar', 'p."previous"', MEANINGS.previous.meaning, { nullable: true }),
  ],
  from: `${NEWEST_GROUP_PAGES} AS p
LEFT JOIN UNNEST(p."bycurrency") AS c ("currency", "sums") ON TRUE`,
};
