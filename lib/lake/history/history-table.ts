import type { Meaning } from '../lake-column.ts';
import type { LakeView, ViewType } from '../lake-view.ts';

/** The types of the history's columns. Iceberg in Athena has timestamps in microseconds only. */
export type HistoryType = Exclude<ViewType, 'timestamp(3)'> | 'timestamp(6)';

/** A column of a history table. */
export interface HistoryColumn extends Meaning {
  name: string;
  type: HistoryType;
  nullable: boolean;
  contract: string;
}

/** A table of the history, in Iceberg. The engine itself makes and keeps it. */
export interface HistoryTable {
  name: string;
  /** What a row is. */
  description: string;
  columns: readonly HistoryColumn[];
  /** Whether its files are divided by month and merchant. The small table of merges is not. */
  partitioned: boolean;
}

/** A table of the history with the columns of the view that shows the same rows from the JSON files. */
export interface ViewHistory extends HistoryTable {
  latest: LakeView;
}

/** The history of what a view shows: same columns, same order, same meanings. */
export function historyOf(latest: LakeView, name: string, description: string): ViewHistory {
  const columns = latest.columns.map(({ expression: _, type, ...column }) => ({
    ...column,
    type: type === 'timestamp(3)' ? ('timestamp(6)' as const) : type,
  }));
  return { name, description, columns, partitioned: true, latest };
}
