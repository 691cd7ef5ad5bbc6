import { MAIL_HISTORY } from '../history/tables/mail.ts';
import { allOf } from './all-view.ts';

export const ALL_MAIL = allOf(MAIL_HISTORY, {
  name: 'all_mail',
  description: "The mail of one revision of a merchant's day, over all time.",
  merged: 'merged_mail',
});
