import { changeMarkerSchema } from '#domain/changes/change-marker.ts';
import { CHANGES as PREFIX } from '#domain/storage/keys.ts';
import { columnsOfSchema } from '../columns-of-schema.ts';
import type { LakeTable } from '../lake-table.ts';
import { CHANGE_MEANINGS } from '../meanings/change-marker.ts';

/** The change markers: which days have changed since the history of the lake last read them. */
export const CHANGES: LakeTable = {
  name: 'changes',
  description:
    'One marker: in the ten minutes from `notedat` on, something of a day was about to change. The history of the lake finds changed days with it, and people have no right to read it. Its partition is the UTC date of the marker, not the day of the page.',
  prefix: PREFIX,
  format: 'json',
  partitions: ['noted_on'],
  columns: columnsOfSchema(changeMarkerSchema.unwrap(), {
    meanings: CHANGE_MEANINGS,
    contract: 'Daybook',
  }),
};
