import { DAYS_HISTORY } from '../history/tables/days.ts';
import { allOf } from './all-view.ts';

export const ALL_DAYS = allOf(DAYS_HISTORY, {
  name: 'all_days',
  description: 'One merchant and day: the figures of its newest sealed revision, over all time.',
});
