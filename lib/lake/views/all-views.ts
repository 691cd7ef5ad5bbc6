import { ALL_DAYS } from './all-days.ts';
import { ALL_INVOICES, ALL_INVOICES_WITH_CUSTOMERS } from './all-invoices.ts';
import { ALL_REFUNDS } from './all-refunds.ts';
import type { AllView } from './all-view.ts';
import { allOf } from './all-view.ts';
import { MAIL_HISTORY } from '../history/tables/mail.ts';

const ALL_MAIL = allOf(MAIL_HISTORY, {
  name: 'all_mail',
  description: "The mail of one revision of a merchant's day, over all time.",
  merged: 'merged_mail',
});

/** The views over all time. */
export const ALL_VIEWS: readonly AllView[] = [
  ALL_INVOICES,
  ALL_INVOICES_WITH_CUSTOMERS,
  ALL_REFUNDS,
  ALL_DAYS,
  ALL_MAIL,
];
