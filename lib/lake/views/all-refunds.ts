import { REFUNDS_HISTORY } from '../history/tables/refunds.ts';
import { allOf } from './all-view.ts';

export const ALL_REFUNDS = allOf(REFUNDS_HISTORY, {
  name: 'all_refunds',
  description:
    "One refund as the newest sealed revision of its day has it, over all time. Without the columns that hold a person's data.",
  columns: ({ personal }) => personal !== true,
});
