import type { HistoryTable } from '../history-table.ts';

const DAYBOOK = { contract: 'Daybook', nullable: false };

/** When each day was merged. Rows are only added. */
export const HISTORY_MERGES: HistoryTable = {
  name: 'history_merges',
  description:
    'One merge of a day: all that was sealed before `merged_at` is in the history. Or somebody asked for a merge of the day, or it failed.',
  partitioned: false,
  columns: [
    { ...DAYBOOK, name: 'day', type: 'varchar', unit: 'YYYY-MM-DD', meaning: 'The day that was merged.' },
    { ...DAYBOOK, name: 'business_date', type: 'date', unit: 'date', meaning: 'The same as a date.' },
    {
      ...DAYBOOK,
      name: 'what',
      type: 'varchar',
      meaning:
        '`days` for the rows and figures, `mail` for the ledgers; `days asked` and `mail asked` when somebody asked for it; `days failed` and `mail failed` when it failed.',
    },
    {
      ...DAYBOOK,
      name: 'merged_at',
      type: 'timestamp(6)',
      unit: 'UTC',
      meaning: 'When the merge of the day began, also one that failed, or when it was asked for.',
    },
  ],
};
