import type { AlertLine } from '#mail/ledger/alert-line.ts';
import type { MailedMerchant } from '#mail/template/mailed-merchant.ts';

/** The input of an alert mail. A later check has the same. */
export interface AlertInput {
  merchant: MailedMerchant;
  day: string;
  /** ISO 8601, UTC. */
  checkedAt: string;
  /** The address for answers, `null` when answers do not reach anybody. */
  replyTo: string | null;
  lines: readonly AlertLine[];
}
