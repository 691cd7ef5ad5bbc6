import { LATEST_INVOICES } from '../../views/latest-invoices.ts';
import { historyOf } from '../history-table.ts';

export const INVOICES_HISTORY = historyOf(
  LATEST_INVOICES,
  'invoices_history',
  'One invoice as the newest sealed revision of its day had it when the day was merged.',
);
