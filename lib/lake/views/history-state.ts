import type { LakeView, ViewColumn } from '../lake-view.ts';
import { NONE } from '../history/statements/look-columns.ts';
import type { LookColumn } from '../history/statements/look-columns.ts';

type Literal =
  | 'complete_from'
  | 'complete_to'
  | 'merged_days'
  | 'merged_mail_days'
  | 'days_waiting'
  | 'mail_waiting'
  | 'waiting_since'
  | 'looked_at'
  | 'settled_at'
  | 'pointed_by';

/** What a look found, as it gives it: texts, {@link NONE} for what is not there. */
export type StateTexts = Record<Extract<LookColumn, Literal>, string>;

const NOTHING: StateTexts = {
  complete_from: NONE,
  complete_to: NONE,
  merged_days: NONE,
  merged_mail_days: NONE,
  days_waiting: NONE,
  mail_waiting: NONE,
  waiting_since: NONE,
  looked_at: NONE,
  settled_at: NONE,
  pointed_by: NONE,
};

const DAYBOOK = { contract: 'Daybook', nullable: true };

function day(name: string, text: string, meaning: string): ViewColumn {
  return {
    ...DAYBOOK,
    name,
    type: 'date',
    unit: 'date',
    meaning,
    expression: `CAST(nullif('${text}', '${NONE}') AS date)`,
  };
}

function moment(name: string, text: string, meaning: string): ViewColumn {
  const expression = `CAST(from_iso8601_timestamp(nullif('${text}', '${NONE}')) AT TIME ZONE 'UTC' AS timestamp(3))`;
  return { ...DAYBOOK, name, type: 'timestamp(3)', unit: 'UTC', meaning, expression };
}

function count(name: string, text: string, meaning: string): ViewColumn {
  const expression = `CAST(nullif('${text}', '${NONE}') AS bigint)`;
  return { ...DAYBOOK, name, type: 'bigint', unit: 'count', meaning, expression };
}

function words(name: string, text: string, meaning: string): ViewColumn {
  return {
    ...DAYBOOK,
    name,
    type: 'varchar',
    meaning,
    expression: `CAST('${text}' AS varchar)`,
    nullable: false,
  };
}

/** What the history holds, as the last look found it. One row of literals. */
export function historyState(texts: StateTexts = NOTHING): LakeView {
  return {
    name: 'history_state',
    description: 'What the history holds, as the state machine `lake` last found it. One row.',
    columns: [
      day(
        'complete_from',
        texts.complete_from,
        'The first day of the newest days that are in the history without a gap.',
      ),
      day('complete_to', texts.complete_to, 'The last of these days.'),
      moment(
        'looked_at',
        texts.looked_at,
        'When the state machine last looked; null if it never did, or is turned off.',
      ),
      count('days_waiting', texts.days_waiting, 'Past days whose rows and figures wait to be merged.'),
      count('mail_waiting', texts.mail_waiting, 'Past days whose mail waits to be merged.'),
      moment('waiting_since', texts.waiting_since, 'Since when the day that waits longest has waited.'),
      words(
        'merged_days',
        texts.merged_days,
        'The days that `all_invoices`, `all_refunds` and `all_days` read from the history. They read all others from the JSON files.',
      ),
      words('merged_mail_days', texts.merged_mail_days, 'The days that `all_mail` reads from the history.'),
      moment(
        'settled_at',
        texts.settled_at,
        'All changes before this time are merged. The next look reads the markers from one day earlier on.',
      ),
      words(
        'pointed_by',
        texts.pointed_by,
        'The id of the look that last replaced the views. The state machine compares it with `history_views`.',
      ),
    ],
    from: '(VALUES 1) AS t (one)',
  };
}

export const HISTORY_STATE = historyState();
