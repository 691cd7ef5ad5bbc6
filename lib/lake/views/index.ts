import type { LakeView } from '#lake/sql/lake-view.ts';
import { ALL_INVOICES, ALL_VIEWS } from '#lake/sql/views/all.ts';
import { HISTORY_STATE, HISTORY_VIEWS } from '#lake/sql/statements/views.ts';
import { LATEST_DAYS, LATEST_INVOICES, LATEST_MAIL, LATEST_REFUNDS } from '#lake/sql/views/latest.ts';
import { MERCHANTS, MERCHANTS_HISTORY } from '#lake/sql/views/merchants.ts';
import { LATEST_GROUP_MERCHANTS, LATEST_GROUP_PAGES } from './group-pages.ts';
import { ADJUSTMENTS, LATEST_STATEMENT_MAIL, LATEST_STATEMENTS, STATEMENT_DAYS } from './statements.ts';

const OF_PAYMENTS = [
  'received_date',
  'paid_at',
  'day',
  'business_date',
  'merchant_code',
  'merchant_name',
  'id',
  'method',
  'currency',
  'amount',
  'charge_of_paid',
];

/** The basis of all that came in. Its `day` is the day of the invoice, so a condition on it leaves out files, as in `all_invoices`. */
export const PAYMENTS: LakeView = {
  name: 'payments',
  description:
    'One paid invoice, for sums of what came in: by `received_date`, the day of the payment. `day` is the day on which the invoice was made.',
  columns: OF_PAYMENTS.flatMap((name) => ALL_INVOICES.columns.filter((column) => column.name === name)),
  from: `"${ALL_INVOICES.name}"\nWHERE "state" = 'paid'`,
};

export const LAKE_VIEWS: readonly LakeView[] = [
  ...ALL_VIEWS,
  PAYMENTS,
  HISTORY_STATE,
  HISTORY_VIEWS,
  LATEST_INVOICES,
  LATEST_REFUNDS,
  LATEST_DAYS,
  LATEST_MAIL,
  MERCHANTS,
  MERCHANTS_HISTORY,
  LATEST_STATEMENTS,
  STATEMENT_DAYS,
  ADJUSTMENTS,
  LATEST_GROUP_PAGES,
  LATEST_GROUP_MERCHANTS,
  LATEST_STATEMENT_MAIL,
];
