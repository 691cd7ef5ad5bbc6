import { hadNothingToSend, isReceived, decisiveEntries } from './ledger-outcome.ts';
import type { Ledger } from './ledger.ts';

/** By what a second attempt may do about it. */
export interface Lacking {
  lacking: string[];
  having: number;
  /** Marked it as unwanted, and do not get it again. */
  complained: number;
  /** May have got it a moment ago, from a run that died. */
  perhaps: number;
}

/** Who lacks a mail. @param ledger over all its rounds @param recipients hashes of the present recipients */
export function lackingMail(ledger: Ledger, recipients: Iterable<string>): Lacking {
  const standing = decisiveEntries(ledger);
  const complained = new Set(
    ledger.recipients.filter(({ status }) => status === 'complained').map(({ to }) => to),
  );
  const found: Lacking = { lacking: [], having: 0, complained: 0, perhaps: 0 };
  for (const to of recipients) {
    const status = standing.get(to)?.status;
    // A recipient who joined after the mail has no entry. A mail that was not to be sent lacks nobody.
    if (status === undefined && hadNothingToSend(ledger)) continue;
    if (complained.has(to)) found.complained += 1;
    else if (status !== undefined && isReceived(status)) found.having += 1;
    else if (status === 'intended') found.perhaps += 1;
    else found.lacking.push(to);
  }
  return found;
}
