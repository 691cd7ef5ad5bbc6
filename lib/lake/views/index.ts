import type { LakeView } from '../lake-view.ts';
import { ALL_VIEWS } from './all-views.ts';
import { HISTORY_STATE } from './history-state.ts';
import { HISTORY_VIEWS } from './history-views.ts';
import { LATEST_DAYS } from './latest-days.ts';
import { LATEST_INVOICES } from './latest-invoices.ts';
import { LATEST_MAIL } from './latest-mail.ts';
import { LATEST_REFUNDS } from './latest-refunds.ts';

/** Every view of the lake. */
export const LAKE_VIEWS: readonly LakeView[] = [
  ...ALL_VIEWS,
  HISTORY_STATE,
  HISTORY_VIEWS,
  LATEST_INVOICES,
  LATEST_REFUNDS,
  LATEST_DAYS,
  LATEST_MAIL,
];
