import { isMerchantDay } from '#records/storage/keys.ts';
import type { PageId, PageOwner } from '#records/storage/keys.ts';
import type { NoticeCommand } from './ops-notice.ts';

function ownerWords({ merchantCode, group }: PageOwner): string[] {
  return merchantCode === undefined ? ['--group', group] : [merchantCode];
}

/** Makes a page, and mails it if it was not mailed. @param shows what the notice says of it */
export function makeAgain(page: PageId, shows: string): NoticeCommand {
  const { owner, period } = page;
  const whose = ownerWords(owner);
  return isMerchantDay(page)
    ? { shows, does: 'daybook', words: ['report', ...whose, '--day', period] }
    : { shows, does: 'daybook', words: ['statement', ...whose, '--period', period] };
}

/** Sends the newest revision to the recipients who do not have it. */
export function sendAgain(
  page: PageId,
  shows = 'Sends the newest revision again, to the recipients who do not have it',
): NoticeCommand {
  const { owner, period } = page;
  const whose = ownerWords(owner);
  return isMerchantDay(page)
    ? { shows, does: 'daybook', words: ['report', ...whose, '--day', period, '--resend', '--failed'] }
    : { shows, does: 'daybook', words: ['statement', ...whose, '--period', period, '--resend', '--failed'] };
}

/** Explains what became of a page. @param shows what the notice says of it */
export function explain({ owner, period }: PageId, shows: string): NoticeCommand {
  const whose = ownerWords(owner);
  return { shows, does: 'daybook', words: ['why', ...whose, period] };
}
