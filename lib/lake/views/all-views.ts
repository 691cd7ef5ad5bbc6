import { ALL_DAYS } from './all-days.ts';
import { ALL_INVOICES, ALL_INVOICES_WITH_CUSTOMERS } from './all-invoices.ts';
import { ALL_MAIL } from './all-mail.ts';
import { ALL_REFUNDS } from './all-refunds.ts';
import type { AllView } from './all-view.ts';

/** The views over all time. */
export const ALL_VIEWS: readonly AllView[] = [
  ALL_INVOICES,
  ALL_INVOICES_WITH_CUSTOMERS,
  ALL_REFUNDS,
  ALL_DAYS,
  ALL_MAIL,
];
