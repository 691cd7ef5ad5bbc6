import type { Day } from '../day/business-day.ts';
import type { Period } from '../period/period.ts';

/** The tags of a mail. They connect SES's later events with a ledger. */
export interface MailTags {
  kind: string;
  merchant?: string;
  /** The name of a group of merchants, in place of a merchant. */
  group?: string;
  day?: Day;
  /** The period of a statement or of a group's page, in place of a day. */
  period?: Period;
  revision?: string;
  /** The name of the alert check. */
  check?: string;
  recipient?: string;
}
