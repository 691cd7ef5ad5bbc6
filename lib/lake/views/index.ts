import type { LakeView } from '#lake/sql/lake-view.ts';
import { ALL_VIEWS } from '#lake/sql/views/all.ts';
import { HISTORY_STATE, HISTORY_VIEWS } from '#lake/sql/statements/views.ts';
import { LATEST_DAYS, LATEST_INVOICES, LATEST_MAIL, LATEST_REFUNDS } from '#lake/sql/views/latest.ts';
import { PAYMENTS } from './payments.ts';
import { MERCHANTS, MERCHANTS_HISTORY } from '#lake/sql/views/merchants.ts';
import {
  ADJUSTMENTS,
  LATEST_GROUP_MERCHANTS,
  LATEST_GROUP_PAGES,
  LATEST_STATEMENT_MAIL,
  LATEST_STATEMENTS,
  STATEMENT_DAYS,
} from './periods.ts';

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
