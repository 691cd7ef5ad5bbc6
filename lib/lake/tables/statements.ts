import { statementSchema } from '#page/figures/statement.ts';
import { STATEMENTS as PREFIX } from '#records/storage/keys.ts';
import { columnsOfSchema } from '../columns-of-schema.ts';
import type { LakeTable } from '../lake-table.ts';
import { STATEMENT_MEANINGS } from '../meanings/statement.ts';

/** The statements of merchants: one row is a sealed revision. */
export const STATEMENTS: LakeTable = {
  name: 'statements',
  description:
    "One sealed revision of a merchant's statement of a week or month. A row without `merchantcode` is a group's page, which the views leave out.",
  prefix: PREFIX,
  format: 'json',
  partitions: ['year', 'part'],
  periods: ['month', 'week'],
  columns: columnsOfSchema(statementSchema.unwrap(), {
    meanings: STATEMENT_MEANINGS,
    contract: 'Daybook',
    // A group's page in the same folder has objects in `missing`. A text takes both.
    types: { missing: 'string', breakdown: 'string', byCurrency: 'string' },
  }),
};
