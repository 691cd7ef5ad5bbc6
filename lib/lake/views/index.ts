import type { LakeView } from '../lake-view.ts';
import { LATEST_DAYS } from './latest-days.ts';
import { LATEST_INVOICES } from './latest-invoices.ts';
import { LATEST_REFUNDS } from './latest-refunds.ts';

/** Every view of the lake. */
export const LAKE_VIEWS: readonly LakeView[] = [LATEST_INVOICES, LATEST_REFUNDS, LATEST_DAYS];
