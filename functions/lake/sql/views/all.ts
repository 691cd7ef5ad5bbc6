import { DAYS_HISTORY, INVOICES_HISTORY, REFUNDS_HISTORY, MAIL_HISTORY } from '../history-tables.ts';
import type { ViewHistory } from '../history-tables.ts';
import type { LakeView, ViewColumn } from '../lake-view.ts';

/** A view over all time. It reads merged days from the history, and all others from the JSON files. */
export interface AllView extends LakeView {
  history: ViewHistory;
  /** Which column of a look says what is merged. */
  merged: 'merged_days' | 'merged_mail_days';
}

interface Choice {
  name: string;
  description: string;
  merged?: AllView['merged'];
  columns?: (column: ViewColumn) => boolean;
}

/**
 * A view over all time. As it is deployed it reads the JSON files only, because a new stage has no history yet: right, but slow for
 * many days. The function `lake` replaces it (`viewStatement`).
 */
function allOf(history: ViewHistory, choice: Choice): AllView {
  const columns = history.latest.columns
    .filter(choice.columns ?? (() => true))
    .map((column) => ({ ...column, expression: `"${column.name}"` }));
  return {
    name: choice.name,
    description: choice.description,
    columns,
    from: `"${history.latest.name}"`,
    history,
    merged: choice.merged ?? 'merged_days',
  };
}

export const ALL_DAYS = allOf(DAYS_HISTORY, {
  name: 'all_days',
  description: 'One merchant and day: the figures of its newest sealed revision, over all time.',
});

export const ALL_INVOICES = allOf(INVOICES_HISTORY, {
  name: 'all_invoices',
  description:
    "One invoice as the newest sealed revision of its day has it, over all time. Without the columns that hold a person's data.",
  columns: ({ personal }) => personal !== true,
});

const ALL_INVOICES_WITH_CUSTOMERS = allOf(INVOICES_HISTORY, {
  name: 'all_invoices_with_customers',
  description: "The same as `all_invoices`, with the columns that hold a person's data.",
});

export const ALL_REFUNDS = allOf(REFUNDS_HISTORY, {
  name: 'all_refunds',
  description:
    "One refund as the newest sealed revision of its day has it, over all time. Without the columns that hold a person's data.",
  columns: ({ personal }) => personal !== true,
});

export const ALL_MAIL = allOf(MAIL_HISTORY, {
  name: 'all_mail',
  description: "The mail of one revision of a merchant's day, over all time.",
  merged: 'merged_mail_days',
});

export const ALL_VIEWS: readonly AllView[] = [
  ALL_INVOICES,
  ALL_INVOICES_WITH_CUSTOMERS,
  ALL_REFUNDS,
  ALL_DAYS,
  ALL_MAIL,
];
