import type { HistoryTable } from '../history-table.ts';
import { DAYS_HISTORY } from './days.ts';
import { INVOICES_HISTORY } from './invoices.ts';
import { MAIL_HISTORY } from './mail.ts';
import { HISTORY_MERGES } from './merges.ts';
import { REFUNDS_HISTORY } from './refunds.ts';

/** Every table of the history. */
export const HISTORY_TABLES: readonly HistoryTable[] = [
  INVOICES_HISTORY,
  REFUNDS_HISTORY,
  DAYS_HISTORY,
  MAIL_HISTORY,
  HISTORY_MERGES,
];
