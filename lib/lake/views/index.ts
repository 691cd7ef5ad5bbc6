import type { LakeView } from '../lake-view.ts';
import { LATEST_DAYS } from './latest-days.ts';
import { latestRecords } from './latest-records.ts';

/** Every view of the lake. */
export const LAKE_VIEWS: readonly LakeView[] = [
  latestRecords('invoices', 'One invoice as the newest sealed revision of its day has it.'),
  latestRecords('refunds', 'One refund as the newest sealed revision of its day has it.'),
  LATEST_DAYS,
];
