import { groupPageSchema } from '#page/figures/group-page.ts';
import { STATEMENTS as PREFIX } from '#records/storage/keys.ts';
import { columnsOfSchema } from '../columns-of-schema.ts';
import type { LakeTable } from '../lake-table.ts';
import { GROUP_PAGE_MEANINGS } from '../meanings/group-page.ts';

/** The pages of groups of merchants: one row is a sealed revision. */
export const GROUP_PAGES: LakeTable = {
  name: 'group_pages',
  description:
    "One sealed revision of a group's page of a day, week or month. A row without `group` is a merchant's statement, which the views leave out.",
  prefix: PREFIX,
  format: 'json',
  partitions: ['year', 'part'],
  periods: ['month', 'week', 'day'],
  columns: columnsOfSchema(groupPageSchema.unwrap(), {
    meanings: GROUP_PAGE_MEANINGS,
    contract: 'Daybook',
    // A statement in the same folder has days in `missing`. A text takes both.
    types: { missing: 'string', corrections: 'string' },
  }),
};
