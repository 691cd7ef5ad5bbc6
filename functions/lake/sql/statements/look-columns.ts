/**
 * What a column of a look says when there is nothing to say. It is no empty text: nobody documents whether Athena answers an empty text, or
 * leaves it out as it leaves out a null.
 */
export const NONE = 'none';

/** The columns of a look's one row. All of them are text, never null and never empty. */
export const LOOK_COLUMNS = [
  'merged',
  'merged_mail',
  'slices',
  'days_waiting',
  'mail_waiting',
  'waiting_since',
  'behind',
  'complete_from',
  'complete_to',
  'merged_days',
  'merged_mail_days',
  'looked_at',
  'settled_at',
  'views_differ',
  'pointed_by',
  'is_alone',
] as const;
/** A column of a look's row. */
export type LookColumn = (typeof LOOK_COLUMNS)[number];
