import type { Day } from '../day/business-day.ts';
import type { Period } from '../period/period.ts';
import { isMerchantDay } from '../storage/keys.ts';
import type { PagePlace } from '../storage/keys.ts';

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

/** The tags of a mail about a page, without kind and recipient. */
export function tagsOfPage(place: PagePlace): Omit<MailTags, 'kind' | 'recipient'> {
  const { owner, period, revision } = place;
  return {
    ...(owner.merchantCode === undefined ? { group: owner.group } : { merchant: owner.merchantCode }),
    ...(isMerchantDay(place) ? { day: period } : { period }),
    revision: revision.toString(),
  };
}
