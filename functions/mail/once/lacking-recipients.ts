import { lackingMail } from '#records/ledger/ledger-outcome.ts';
import type { Lacking } from '#records/ledger/ledger-outcome.ts';
import { presentEntries } from '#records/ledger/ledger-rounds.ts';
import type { Ledger } from '#records/ledger/ledger.ts';
import { readersStopOf } from '#records/storage/readers-stop.ts';
import type { SuppressionList } from '../suppression-list.ts';
import type { ChosenRecipients } from './mail-once.ts';

/** Who got or should have got the mail, and is no recipient any more. */
export function formerRecipients(ledger: Ledger, recipients: readonly string[]): string[] {
  return presentEntries(ledger).flatMap(({ to }) => (recipients.includes(to) ? [] : [to]));
}

/**
 * The recipients who do not have a mail. An address to which mail is stopped is left out, and so is a recipient who
 * complained.
 * @param key of the ledger of the mail
 * @param recipients hashes of the present ones
 */
export async function lackingRecipients(
  { suppressionList }: { suppressionList: Pick<SuppressionList, 'reason'> },
  key: string,
  counts: Ledger,
  recipients: readonly string[],
): Promise<ChosenRecipients> {
  const found = lackingMail(counts, recipients);
  const to: string[] = [];
  for (const one of found.lacking) {
    if ((await suppressionList.reason(one, readersStopOf(key, one))) === undefined) to.push(one);
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
