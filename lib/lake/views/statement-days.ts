import { statementDaySchema } from '#page/figures/statement.ts';
import type { LakeView } from '../lake-view.ts';
import { NEWEST_STATEMENTS } from '../sealed-pages.ts';
import { invoiceColumns, netColumns, refundColumns } from './figure-columns.ts';
import { membersOf } from './members-of.ts';
import { ownColumn } from './own-column.ts';
import { periodColumns } from './period-columns.ts';

/** One row per day of each newest statement. */
export const STATEMENT_DAYS: LakeView = {
  name: 'statement_days',
  description:
    'One day that a newest statement adds up, with the figures that it had in the revision that was used. The days of a statement add up to `latest_statements` to the thousandth.',
  columns: [
    ...periodColumns('s'),
    ownColumn('merchant_code', 'varchar', 's."merchantcode"', 'The merchant.'),
    ownColumn('revision', 'bigint', 's."revision"', 'Number of the newest revision of the statement.'),
    ownColumn(
      'currency',
      'varchar',
      'coalesce(d."currency", s."currency")',
      'The currency of all amounts of the day, three capitals.',
    ),
    ownColumn(
      'day',
      'varchar',
      'd."day"',
      'The day. No partition: a condition on `year` and `part` is what keeps a query cheap.',
      {
        unit: 'YYYY-MM-DD',
      },
    ),
    ownColumn(
      'business_date',
      'date',
      'CAST(d."day" AS date)',
      "The same as a date, in the merchant's own zone.",
      {
        unit: 'date',
      },
    ),
    ownColumn('day_revision', 'bigint', 'd."revision"', 'The revision of the day that was used.'),
    ownColumn('balanced', 'boolean', 'd."balanced"', 'Whether this revision balances.'),
    ...invoiceColumns('d'),
    ...refundColumns('d."refunds"', true),
    ...netColumns('d."net"'),
  ],
  from: `${NEWEST_STATEMENTS} AS s
CROSS JOIN UNNEST(s."days") AS d (${membersOf(statementDaySchema)})`,
};
