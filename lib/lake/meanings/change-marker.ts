import type { ChangeMarker } from '#records/storage/change-marker.ts';
import type { Meaning } from '../lake-column.ts';

/** The meanings of a change marker's members. */
export const CHANGE_MEANINGS: Record<keyof ChangeMarker, Meaning> = {
  day: { meaning: 'The day of the page that was about to change.', unit: 'YYYY-MM-DD' },
  what: {
    meaning:
      '`days`: a sealed revision was about to be added; `mail`: a ledger of the day was about to change.',
  },
  notedAt: {
    meaning:
      'When the ten minutes of the marker begin. The change itself is written at most 25 minutes later.',
    unit: 'ISO 8601, UTC',
  },
};
