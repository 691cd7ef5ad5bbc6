import { LATEST_REFUNDS } from '../../views/latest-refunds.ts';
import { historyOf } from '../history-table.ts';

export const REFUNDS_HISTORY = historyOf(
  LATEST_REFUNDS,
  'refunds_history',
  'One refund as the newest sealed revision of its day had it when the day was merged.',
);
