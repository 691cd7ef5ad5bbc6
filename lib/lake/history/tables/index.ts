import type { HistoryTable, ViewHistory } from '../history-table.ts';
import { DAYS_HISTORY } from './days.ts';
import { INVOICES_HISTORY } from './invoices.ts';
import { MAIL_HISTORY } from './mail.ts';
import { HISTORY_MERGES } from './merges.ts';
import { REFUNDS_HISTORY } from './refunds.ts';

/** The tables that hold what the views `latest_*` show. */
export const VIEW_HISTORIES: readonly ViewHistory[] = [
  INVOICES_HISTORY,
  REFUNDS_HISTORY,
  DAYS_HISTORY,
  MAIL_HISTORY,
];

/** Every table of the history. */
export const HISTORY_TABLES: readonly HistoryTable[] = [...VIEW_HISTORIES, HISTORY_MERGES];
