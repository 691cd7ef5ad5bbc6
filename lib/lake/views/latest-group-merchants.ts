import { groupMemberSchema } from '#page/figures/group-page.ts';
import type { LakeView } from '../lake-view.ts';
import { NEWEST_GROUP_PAGES } from '../sealed-pages.ts';
import { amountColumn, invoiceColumns, refundColumns } from './figure-columns.ts';
import { membersOf } from './members-of.ts';
import { ownColumn } from './own-column.ts';
import { fromAndTo, periodColumns } from './period-columns.ts';

/** One row per merchant in each newest page of a group. */
export const LATEST_GROUP_MERCHANTS: LakeView = {
  name: 'latest_group_merchants',
  description: "One merchant in a group's newest page.",
  columns: [
    ...periodColumns('p'),
    ownColumn('group_name', 'varchar', 'p."group"', "The group's name in the registry."),
    ownColumn('revision', 'bigint', 'p."revision"', "Number of the newest revision of the group's page."),
    ownColumn('merchant_code', 'varchar', 'm."merchantcode"', 'The merchant.'),
    ownColumn('merchant_name', 'varchar', 'm."name"', "The merchant's name in the registry, any text."),
    ownColumn(
      'currency',
      'varchar',
      'm."currency"',
      'The currency of its amounts, three capitals; null where its days are of several: then no amount is added up.',
      { nullable: true },
    ),
    ownColumn(
      'merchant_revision',
      'bigint',
      'm."revision"',
      'The revision of its day or statement that was added up.',
    ),
    ...fromAndTo('m', { from: 'The first day of its page.', to: 'The last day of its page.' }),
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
      'm."received"',
      'Sum of the invoices made then and paid by the last reading of their day; null where it is unknown.',
    ),
    amountColumn('net', 'm."net"', 'What is left of it after refunds and charges; null where it is unknown.'),
    amountColumn(
      'usual_received',
      'm."usual"."received"',
      'What it usually receives: the average of the weekday in the four weeks before, or the period before; null where it is unknown.',
    ),
    ownColumn(
      'usual_invoices',
      'double',
      'm."usual"."total"',
      'How many invoices it usually has; null where it is unknown.',
      {
        unit: 'count',
        nullable: true,
      },
    ),
  ],
  from: `${NEWEST_GROUP_PAGES} AS p
CROSS JOIN UNNEST(p."merchants") AS m (${membersOf(groupMemberSchema)})`,
};
