import { lackingMail } from '#domain/ledger/ledger-lacking.ts';
import type { Lacking } from '#domain/ledger/ledger-lacking.ts';
import { presentEntries } from '#domain/ledger/ledger-rounds.ts';
import type { Ledger } from '#domain/ledger/ledger.ts';
import { addressesOnce } from '#domain/mail/mail-address.ts';
import type { LedgerStore } from '../ledger-store.ts';
import type { ChosenRecipients, MailJob } from '../once/mail-once.ts';
import type { SuppressionList } from '../suppression-list.ts';
import { mailThatCounts } from './mail-that-counts.ts';
import type { MailedPage } from './mailed-page.ts';

/** To whom a page is sent again: nobody, everybody, those who do not have it, or these recipients. */
export type Resend = boolean | 'failed' | readonly string[];

interface Ports {
  ledgers: Pick<LedgerStore, 'read'>;
  suppressionList: SuppressionList;
}

/** To whom a page is sent again, in the form that the mailing takes. */
export function resendRecipients(ports: Ports, page: MailedPage, resend: Resend): MailJob['resend'] {
  if (typeof resend === 'boolean') return resend;
  const recipients = [...addressesOnce(page.recipients).keys()];
  const counted = {
    ledgerKey: (revision: number) => page.ledgerKey(revision),
    isSoFar: async (revision: number) => (await page.sealed(revision))?.soFar === true,
  };
  return async (ledger) => {
    const counts = (await mailThatCounts(ports.ledgers, counted, page.revision, ledger)) ?? ledger;
    const former = presentEntries(counts).flatMap((entry) =>
      recipients.includes(entry.to) ? [] : [entry.to],
    );
    const chosen =
      resend === 'failed'
        ? await lackingRecipients(ports, counts, recipients)
        : { to: [...addressesOnce(resend).keys()], ifNone: 'no recipient is named' };
    return { ...chosen, former };
  };
}

/**
 * The recipients who do not have the page's mail. An address to which mail is stopped is left out, and so is a
 * recipient who complained.
 */
async function lackingRecipients(
  { suppressionList }: Ports,
  counts: Ledger,
  recipients: readonly string[],
): Promise<Pick<ChosenRecipients, 'to' | 'ifNone'>> {
  const found = lackingMail(counts, recipients);
  const to: string[] = [];
  for (const one of found.lacking) {
    if ((await suppressionList.reason(one)) === undefined) to.push(one);
  }
  return { to, ifNone: reasonOfNone(found) };
}

/** Why nobody is left to send it to. */
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
