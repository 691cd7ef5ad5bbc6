import type { LakeView } from '../lake-view.ts';
import { ALL_VIEWS } from './all-views.ts';
import { HISTORY_STATE } from './history-state.ts';
import { HISTORY_VIEWS } from './history-views.ts';
import { LATEST_DAYS } from './latest-days.ts';
import { LATEST_GROUP_MERCHANTS } from './latest-group-merchants.ts';
import { LATEST_GROUP_PAGES } from './latest-group-pages.ts';
import { LATEST_INVOICES } from './latest-invoices.ts';
import { LATEST_MAIL } from './latest-mail.ts';
import { LATEST_REFUNDS } from './latest-refunds.ts';
import { LATEST_STATEMENT_MAIL } from './latest-statement-mail.ts';
import { LATEST_STATEMENTS } from './latest-statements.ts';
import { STATEMENT_DAYS } from './statement-days.ts';

/** Every view of the lake. */
export const LAKE_VIEWS: readonly LakeView[] = [
  ...ALL_VIEWS,
  HISTORY_STATE,
  HISTORY_VIEWS,
  LATEST_INVOICES,
  LATEST_REFUNDS,
  LATEST_DAYS,
  LATEST_MAIL,
  LATEST_STATEMENTS,
  STATEMENT_DAYS,
  LATEST_GROUP_PAGES,
  LATEST_GROUP_MERCHANTS,
  LATEST_STATEMENT_MAIL,
];
