import type { Day } from '../day/business-day.ts';
import type { Period } from '../period/period.ts';
import { isMerchantDay } from '../storage/keys.ts';
import type { PagePlace } from '../storage/keys.ts';

export interface MailTags {
  kind: string;
  merchant?: string;
  group?: string;
  day?: Day;
  period?: Period;
  revision?: string;
  check?: string;
  recipient?: string;
}

export function tagsOfPage(place: PagePlace): Omit<MailTags, 'kind' | 'recipient'> {
  const { owner, period, revision } = place;
  return {
    ...(owner.merchantCode === undefined ? { group: owner.group } : { merchant: owner.merchantCode }),
    ...(isMerchantDay(place) ? { day: period } : { period }),
    revision: revision.toString(),
  };
}
