import { LATEST_DAYS } from '../../views/latest-days.ts';
import { historyOf } from '../history-table.ts';

export const DAYS_HISTORY = historyOf(
  LATEST_DAYS,
  'days_history',
  'One merchant and day: the figures of the revision whose rows are in `invoices_history` and `refunds_history`.',
);
