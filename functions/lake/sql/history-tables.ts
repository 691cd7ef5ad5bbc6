import type { Table } from '#records/revision/manifest.ts';
import { meaningOf } from './columns.ts';
import type { Meaning } from './columns.ts';
import type { LakeView, ViewType } from './lake-view.ts';
import { LATEST_DAYS, LATEST_INVOICES, LATEST_REFUNDS, LATEST_MAIL } from './views/latest.ts';

/** The types of the history's columns. Iceberg in Athena has timestamps in microseconds only. */
export type HistoryType = Exclude<ViewType, 'timestamp(3)'> | 'timestamp(6)';

interface HistoryColumn extends Meaning {
  name: string;
  type: HistoryType;
  nullable: boolean;
}

/** A table of the history, in Iceberg. The engine itself makes and keeps it. */
export interface HistoryTable {
  name: string;
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
function historyOf(latest: LakeView, name: string, description: string): ViewHistory {
  const columns = latest.columns.map(({ expression: _, type, ...column }) => ({
    ...column,
    type: type === 'timestamp(3)' ? ('timestamp(6)' as const) : type,
  }));
  return { name, description, columns, partitioned: true, latest };
}

export const DAYS_HISTORY = historyOf(
  LATEST_DAYS,
  'days_history',
  'One merchant and day: the figures of the revision whose rows are in `invoices_history` and `refunds_history`.',
);

export const INVOICES_HISTORY = historyOf(
  LATEST_INVOICES,
  'invoices_history',
  'One invoice as the newest sealed revision of its day had it when the day was merged.',
);

export const REFUNDS_HISTORY = historyOf(
  LATEST_REFUNDS,
  'refunds_history',
  'One refund as the newest sealed revision of its day had it when the day was merged.',
);

export const MAIL_HISTORY = historyOf(
  LATEST_MAIL,
  'mail_history',
  "The mail of one revision of a merchant's day, as it stood when the day was merged.",
);

function noteColumn(name: string, type: HistoryType, text: string): HistoryColumn {
  return { name, type, nullable: false, ...meaningOf(text) };
}

/** When each day was merged. Rows are only added. */
export const HISTORY_MERGES: HistoryTable = {
  name: 'history_merges',
  description:
    'One merge of a day: all that was sealed before `merged_at` is in the history. Or somebody asked for a merge of the day, or it failed.',
  partitioned: false,
  columns: [
    noteColumn('day', 'varchar', 'The day that was merged. [YYYY-MM-DD]'),
    noteColumn('business_date', 'date', 'The same as a date. [date]'),
    noteColumn(
      'what',
      'varchar',
      '`days` for the rows and figures, `mail` for the ledgers; `days asked` and `mail asked` when somebody asked for it; `days failed` and `mail failed` when it failed. Of whole runs: `merge done` and `maintained …`, or `merge asked` and `maintenance asked`.',
    ),
    noteColumn(
      'merged_at',
      'timestamp(6)',
      'When the merge of the day began, also one that failed, or when it was asked for. [UTC]',
    ),
  ],
};

export const VIEW_HISTORIES: readonly ViewHistory[] = [
  INVOICES_HISTORY,
  REFUNDS_HISTORY,
  DAYS_HISTORY,
  MAIL_HISTORY,
];

export const HISTORY_TABLES: readonly HistoryTable[] = [...VIEW_HISTORIES, HISTORY_MERGES];

export const RECORD_HISTORIES: Record<Table, ViewHistory> = {
  invoices: INVOICES_HISTORY,
  refunds: REFUNDS_HISTORY,
};
