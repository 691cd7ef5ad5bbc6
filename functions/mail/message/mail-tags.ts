import type { Day } from '#records/day/business-day.ts';
import type { Period } from '#records/period/period.ts';
import { isMerchantDay } from '#records/storage/keys.ts';
import type { PagePlace } from '#records/storage/keys.ts';

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
