import type { Day } from '#domain/day/business-day.ts';
import type { NoticeCommand, OpsNotice } from '#domain/notices/ops-notice.ts';
import type { Period } from '#domain/period/period.ts';
import { isMerchantDay, merchantInKey, pageInLedgerKey } from '#domain/storage/keys.ts';
import type { PageOwner } from '#domain/storage/keys.ts';

/** Whose mail a ledger is about, and which day or period. A mail of an alert has neither. */
export interface MailSubject {
  owner: PageOwner;
  day?: Day | undefined;
  period?: Period | undefined;
}

/** What the key of a ledger or of rule states says. `undefined` for a key without a merchant or group. */
export function subjectInKey(key: string): MailSubject | undefined {
  const page = pageInLedgerKey(key);
  if (page !== undefined) {
    return isMerchantDay(page)
      ? { owner: page.owner, day: page.period }
      : { owner: page.owner, period: page.period };
  }
  const merchantCode = merchantInKey(key);
  return merchantCode === undefined ? undefined : { owner: { merchantCode } };
}

/** The merchant or group in words, such as `merchant 700001`. */
export function ownerInWords({ merchantCode, group }: PageOwner): string {
  return merchantCode === undefined ? `group ${group}` : `merchant ${merchantCode}`;
}

/** Each value once, in order. */
function once(values: readonly (string | undefined)[]): string[] {
  return [...new Set(values.filter((value) => value !== undefined))].sort();
}

/** The merchants, groups, days and periods of mails, as the head of a notice names them. */
export function namedInHead(
  subjects: readonly MailSubject[],
): Pick<OpsNotice, 'merchants' | 'groups' | 'days' | 'periods'> {
  return {
    merchants: once(subjects.map(({ owner }) => owner.merchantCode)),
    groups: once(subjects.map(({ owner }) => owner.group)),
    days: once(subjects.map(({ day }) => day)),
    periods: once(subjects.map(({ period }) => period)),
  };
}

/** Sends the mail to those who do not have it. `undefined` for the mail of an alert. */
export function sendAgain({ owner, day, period }: MailSubject): NoticeCommand | undefined {
  const { merchantCode, group } = owner;
  const shows = 'Sends the newest revision again, to the recipients who do not have it';
  if (period !== undefined) {
    const whose = merchantCode === undefined ? ['--group', group] : [merchantCode];
    return {
      shows,
      does: 'daybook',
      words: ['statement', ...whose, '--period', period, '--resend', '--failed'],
    };
  }
  if (day === undefined || merchantCode === undefined) return undefined;
  return { shows, does: 'daybook', words: ['report', merchantCode, '--day', day, '--resend', '--failed'] };
}
