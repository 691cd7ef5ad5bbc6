import { latestRecords } from './latest-records.ts';

export const LATEST_INVOICES = latestRecords(
  'invoices',
  'One invoice as the newest sealed revision of its day has it.',
);
