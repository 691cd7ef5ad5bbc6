import type { OpsNotice } from '#mail/notices/ops-notice.ts';
import { isMerchantDay, merchantInKey, pageInLedgerKey } from '#records/storage/keys.ts';
import type { PageId, PageOwner } from '#records/storage/keys.ts';

export interface MailSubject {
  owner: PageOwner;
  page?: PageId | undefined;
}

/** What a key says, `undefined` for one without a merchant or group. */
export function subjectInKey(key: string): MailSubject | undefined {
  const page = pageInLedgerKey(key);
  if (page !== undefined) return { owner: page.owner, page };
  const merchantCode = merchantInKey(key);
  return merchantCode === undefined ? undefined : { owner: { merchantCode } };
}

function once(values: readonly (string | undefined)[]): string[] {
  return [...new Set(values.filter((value) => value !== undefined))].sort();
}

export function namedInHead(
  subjects: readonly MailSubject[],
): Pick<OpsNotice, 'merchants' | 'groups' | 'days' | 'periods'> {
  const pages = subjects.flatMap(({ page }) => page ?? []);
  return {
    merchants: once(subjects.map(({ owner }) => owner.merchantCode)),
    groups: once(subjects.map(({ owner }) => owner.group)),
    days: once(pages.filter(isMerchantDay).map(({ period }) => period)),
    periods: once(pages.filter((page) => !isMerchantDay(page)).map(({ period }) => period)),
  };
}
