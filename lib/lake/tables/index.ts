import { TABLES } from '#domain/revision/manifest.ts';
import { byMerchant } from '../lake-table.ts';
import type { LakeTable } from '../lake-table.ts';
import { CHANGES } from './changes.ts';
import { DAYS } from './days.ts';
import { MAIL } from './mail.ts';
import { csvTable, jsonTable } from './records.ts';

const RECORDS = [...TABLES.map(jsonTable), ...TABLES.map(csvTable)];

/** Every table of the lake. */
export const LAKE_TABLES: readonly LakeTable[] = [
  ...RECORDS,
  DAYS,
  MAIL,
  CHANGES,
  ...[...RECORDS, DAYS].map(byMerchant),
];
