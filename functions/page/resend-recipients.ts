import { lackingMail } from '#domain/ledger/ledger-lacking.ts';
import type { Lacking } from '#domain/ledger/ledger-lacking.ts';
import { presentEntries } from '#domain/ledger/ledger-rounds.ts';
import type { Ledger } from '#domain/ledger/ledger.ts';
import { addressesOnce } from '#domain/mail/mail-address.ts';
import type { LedgerStore } from '#mailing/ledger-store.ts';
import type { ChosenRecipients, MailJob } from '#mailing/once/mail-once.ts';
import type { SuppressionList } from '#mailing/suppression-list.ts';
import { mailThatCounts } from './mail-that-counts.ts';
import type { MailedPage } from './mailed-page.ts';

/** Nobody, everybody, those who do not have it, or these. */
export type Resend = boolean | 'failed' | readonly string[];

interface Ports {
  ledgers: Pick<LedgerStore, 'read'>;
  suppressionList: SuppressionList;
}

export function resendRecipients(ports: Ports, page: MailedPage, resend: Resend): MailJob['resend'] {
  if (typeof resend === 'boolean') return resend;
  const recipients = [...addressesOnce(page.recipients).keys()];
  const isSoFar = async (revision: number) => (await page.sealed(revision))?.soFar === true;
  return async (ledger) => {
    const place = { ...page.id, revision: page.revision };
    const counts = (await mailThatCounts(ports.ledgers, place, ledger, isSoFar)) ?? ledger;
    if (resend === 'failed') return lackingRecipients(ports, counts, recipients);
    const to = [...addressesOnce(resend).keys()];
    return { to, former: formerRecipients(counts, recipients), ifNone: 'no recipient is named' };
  };
}

/** Who got or should have got the mail, and is no recipient any more. */
function formerRecipients(ledger: Ledger, recipients: readonly string[]): string[] {
  return presentEntries(ledger).flatMap(({ to }) => (recipients.includes(to) ? [] : [to]));
}

/**
 * Who lacks a mail, without stopped addresses and complaints. @param recipients hashes of the present ones
 */
export async function lackingRecipients(
  { suppressionList }: Pick<Ports, 'suppressionList'>,
  counts: Ledger,
  recipients: readonly string[],
): Promise<ChosenRecipients> {
  const found = lackingMail(counts, recipients);
  const to: string[] = [];
  for (const one of found.lacking) {
    if ((await suppressionList.reason(one)) === undefined) to.push(one);
  }
  return { to, former: formerRecipients(counts, recipients), ifNone: reasonOfNone(found) };
}

function reasonOfNone({ lacking, having, complained, perhaps }: Lacking): string {
  const counted = [
    [having, 'have the mail'],
    [lacking.length, 'stopped'],
    [complained, 'complained'],
    [perhaps, 'may have the mail'],
  ] as const;
  const parts = counted.filter(([count]) => count > 0).map(([count, what]) => `${what}: ${count}`);
  return parts.length === 0
    ? 'the mail was not to be sent to anybody'
    : `nobody is left to send it to (${parts.join(', ')})`;
}
