import type { Day } from '../day/business-day.ts';

/** What ties SES's later events to a ledger. */
export interface MailTags {
  kind: string;
  merchant?: string;
  day?: Day;
  revision?: string;
  /** Names the alert check that the mail is of. */
  check?: string;
  recipient?: string;
}
