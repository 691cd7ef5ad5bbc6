import { historyViews } from '../../views/history-views.ts';
import type { LookColumn } from './look-columns.ts';
import { viewWithoutHistory } from './view-statement.ts';

/** Says that a look begins to replace the views. It comes before the first of them. `history_state` comes after the last. */
export function beginStatement({ pointed_by }: Record<Extract<LookColumn, 'pointed_by'>, string>): string {
  return viewWithoutHistory(historyViews(pointed_by));
}
