import { changeMarkerSchema } from '#domain/changes/change-marker.ts';
import { CHANGES as PREFIX } from '#domain/storage/keys.ts';
import { columnsOfSchema } from '../columns-of-schema.ts';
import type { LakeTable } from '../lake-table.ts';
import { CHANGE_MEANINGS } from '../meanings/change-marker.ts';

/** The change markers: which days have changed since the history of the lake last read them. */
export const CHANGES: LakeTable = {
  name: 'changes',
  description:
    'One marker: something of a day was about to change in ten minutes. The history of the lake finds changed days with it. Its partition is the UTC date of the marker, not the day of the page.',
  prefix: PREFIX,
  format: 'json',
  partitions: ['noted_on'],
  columns: columnsOfSchema(changeMarkerSchema.unwrap(), {
    meanings: CHANGE_MEANINGS,
    contract: 'Daybook',
  }),
};
