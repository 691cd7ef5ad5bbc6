import type { Day } from '../day/business-day.ts';

/** The tags of a mail. They connect SES's later events with a ledger. */
export interface MailTags {
  kind: string;
  merchant?: string;
  day?: Day;
  revision?: string;
  /** The name of the alert check. */
  check?: string;
  recipient?: string;
}
