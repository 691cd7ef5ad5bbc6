import type { LakeView } from '../lake-view.ts';
import { STATEMENT_MEANINGS as MEANINGS } from '../meanings/statement.ts';
import { NEWEST_STATEMENTS } from '../sealed-pages.ts';
import { invoiceColumns, netColumns, refundColumns } from './figure-columns.ts';
import { ownColumn, utcColumn } from './own-column.ts';
import { fromAndTo, periodColumns } from './period-columns.ts';

/** One row per merchant and period, from the newest revision of its statement. */
export const LATEST_STATEMENTS: LakeView = {
  name: 'latest_statements',
  description: 'One merchant and week or month: its newest statement.',
  columns: [
    ...periodColumns('s'),
    ownColumn('merchant_code', 'varchar', 's."merchantcode"', MEANINGS.merchantCode.meaning),
    ownColumn('revision', 'bigint', 's."revision"', 'Number of the newest revision: how many there are.'),
    ownColumn('currency', 'varchar', 's."currency"', MEANINGS.currency.meaning, { nullable: true }),
    ...fromAndTo('s', { from: MEANINGS.from.meaning, to: MEANINGS.to.meaning }),
    utcColumn('sealed_at', 's."sealedat"', MEANINGS.sealedAt.meaning),
    utcColumn('scheduled_time', 's."scheduledtime"', MEANINGS.scheduledTime.meaning, true),
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
    ownColumn('final', 'boolean', 's."final"', MEANINGS.final.meaning),
    ownColumn(
      'sealed_days',
      'bigint',
      'cardinality(s."days")',
      'Days that were added up; `statement_days` has them.',
      {
        unit: 'count',
      },
    ),
    ownColumn(
      'missing_days',
      'array(varchar)',
      'CAST(json_parse(s."missing") AS array(varchar))',
      MEANINGS.missing.meaning,
      { unit: 'YYYY-MM-DD' },
    ),
    ownColumn('unbalanced_days', 'array(varchar)', 's."unbalanced"', MEANINGS.unbalanced.meaning, {
      unit: 'YYYY-MM-DD',
    }),
    ...invoiceColumns('s'),
    ...refundColumns('s."refunds"', false),
    ...netColumns('s."net"'),
    ownColumn('breakdown', 'varchar', 's."breakdown"', MEANINGS.breakdown.meaning, {
      unit: 'JSON object of byType, byMethod, charges',
      nullable: true,
    }),
    ownColumn('digest', 'varchar', 's."digest"', MEANINGS.digest.meaning, { unit: 'SHA-256, hex' }),
    ownColumn('previous', 'varchar', 's."previous"', MEANINGS.previous.meaning, { nullable: true }),
  ],
  from: `${NEWEST_STATEMENTS} AS s`,
};
