import type { NamedQuery } from '../named-query.ts';
import { COUNTS_PER_DAY } from './counts-per-day.ts';
import { HISTORY_OF_A_MERCHANT } from './history-of-a-merchant.ts';
import { LATE_CHANGES_BY_RECORD } from './late-changes-by-record.ts';
import { LATE_CHANGES } from './late-changes.ts';
import { MAIL_NOT_DELIVERED } from './mail-not-delivered.ts';
import { PERHAPS_PAID_TWICE } from './perhaps-paid-twice.ts';
import { REFUNDS_ON_BOTH_BASES } from './refunds-on-both-bases.ts';
import { STATEMENTS_AGAINST_DAYS } from './statements-against-days.ts';
import { UNBALANCED_DAYS } from './unbalanced-days.ts';
import { UNPAID_BY_AGE } from './unpaid-by-age.ts';

/** Every named query of the lake. */
export const NAMED_QUERIES: readonly NamedQuery[] = [
  COUNTS_PER_DAY,
  UNBALANCED_DAYS,
  REFUNDS_ON_BOTH_BASES,
  LATE_CHANGES,
  LATE_CHANGES_BY_RECORD,
  UNPAID_BY_AGE,
  PERHAPS_PAID_TWICE,
  MAIL_NOT_DELIVERED,
  HISTORY_OF_A_MERCHANT,
  STATEMENTS_AGAINST_DAYS,
];
