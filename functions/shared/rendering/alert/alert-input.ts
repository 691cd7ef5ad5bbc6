import type { AlertLine } from '#domain/alerts/alert-state.ts';
import type { MailedMerchant } from '../report/report-input.ts';

/** The input of an alert mail. A later check has the same. */
export interface AlertInput {
  merchant: MailedMerchant;
  /** The merchant's day whose figures were checked. */
  day: string;
  /** ISO 8601, UTC. */
  checkedAt: string;
  /** The address for answers, `null` when answers do not reach anybody. */
  replyTo: string | null;
  /** At least one. */
  lines: readonly AlertLine[];
}
