import { TABLES } from '#domain/revision/manifest.ts';
import { byMerchant } from '../lake-table.ts';
import type { LakeTable } from '../lake-table.ts';
import { CHANGES } from './changes.ts';
import { DAYS } from './days.ts';
import { GROUP_PAGES } from './group-pages.ts';
import { MAIL, STATEMENT_MAIL } from './mail.ts';
import { csvTable, jsonTable } from './records.ts';
import { STATEMENTS } from './statements.ts';

const RECORDS = [...TABLES.map(jsonTable), ...TABLES.map(csvTable)];

/** Every table of the lake. */
export const LAKE_TABLES: readonly LakeTable[] = [
  ...RECORDS,
  DAYS,
  MAIL,
  CHANGES,
  STATEMENTS,
  GROUP_PAGES,
  STATEMENT_MAIL,
  ...[...RECORDS, DAYS, STATEMENTS].map(byMerchant),
];
