import { latestRecords } from './latest-records.ts';

export const LATEST_REFUNDS = latestRecords(
  'refunds',
  'One refund as the newest sealed revision of its day has it.',
);
