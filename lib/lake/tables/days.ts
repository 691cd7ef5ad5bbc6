import { manifestSchema } from '#domain/revision/manifest.ts';
import { columnsOfSchema } from '../columns-of-schema.ts';
import type { LakeTable } from '../lake-table.ts';
import { MANIFEST_MEANINGS } from '../meanings/manifest.ts';

const columns = columnsOfSchema(manifestSchema.unwrap(), {
  meanings: MANIFEST_MEANINGS,
  contract: 'Daybook',
  // Their members have several types, or names that the service sent, or the rows and the earlier days describe them better.
  types: {
    differences: 'string',
    notCompared: 'string',
    breakdown: 'string',
    drift: 'string',
    history: 'string',
  },
});

/** The manifests: one row is a sealed revision. */
export const DAYS: LakeTable = {
  name: 'days',
  description: 'One sealed revision of a merchant and day: its figures, and the files that hold its rows.',
  prefix: 'days/',
  format: 'json',
  partitions: ['day'],
  // The partition has the same name and value.
  columns: columns.filter(({ name }) => name !== 'day'),
};
