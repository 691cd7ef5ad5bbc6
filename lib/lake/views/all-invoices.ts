import { INVOICES_HISTORY } from '../history/tables/invoices.ts';
import { allOf } from './all-view.ts';

export const ALL_INVOICES = allOf(INVOICES_HISTORY, {
  name: 'all_invoices',
  description:
    "One invoice as the newest sealed revision of its day has it, over all time. Without the columns that hold a person's data.",
  columns: ({ personal }) => personal !== true,
});

export const ALL_INVOICES_WITH_CUSTOMERS = allOf(INVOICES_HISTORY, {
  name: 'all_invoices_with_customers',
  description: "The same as `all_invoices`, with the columns that hold a person's data.",
});
