import { LATEST_MAIL } from '../../views/latest-mail.ts';
import { historyOf } from '../history-table.ts';

export const MAIL_HISTORY = historyOf(
  LATEST_MAIL,
  'mail_history',
  "The mail of one revision of a merchant's day, as it stood when the day was merged.",
);
