import type { ViewHistory } from '../history/history-table.ts';
import type { LakeView, ViewColumn } from '../lake-view.ts';

/** A view over all time. It reads merged days from the history, and all others from the JSON files. */
export interface AllView extends LakeView {
  history: ViewHistory;
  /** Which column of a look says what is merged. */
  merged: 'merged' | 'merged_mail';
}

interface Choice {
  name: string;
  description: string;
  merged?: AllView['merged'];
  /** Which columns it shows. */
  columns?: (column: ViewColumn) => boolean;
}

/**
 * A view over all time. As it is deployed it reads the JSON files only, because a new stage has no history yet: right, but slow for
 * many days. The state machine replaces it (`viewStatement`).
 */
export function allOf(history: ViewHistory, choice: Choice): AllView {
  const columns = history.latest.columns
    .filter(choice.columns ?? (() => true))
    .map((column) => ({ ...column, expression: `"${column.name}"` }));
  return {
    name: choice.name,
    description: choice.description,
    columns,
    from: `"${history.latest.name}"`,
    history,
    merged: choice.merged ?? 'merged',
  };
}
