import type { LakeView } from '#lake/sql/lake-view.ts';
import { ALL_INVOICES } from '#lake/sql/views/all.ts';

const COLUMNS = [
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
  columns: COLUMNS.flatMap((name) => ALL_INVOICES.columns.filter((column) => column.name === name)),
  from: `"${ALL_INVOICES.name}"\nWHERE "state" = 'paid'`,
};
