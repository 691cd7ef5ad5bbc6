import { hadNothingToSend, isReceived, decisiveEntries } from './ledger-outcome.ts';
import type { Ledger } from './ledger.ts';

/** The recipients of a mail, by what a second attempt may do about it. */
export interface Lacking {
  /** They do not have the mail, as far as is known: it was refused, came back, was not begun, or is held. */
  lacking: string[];
  /** How many have it. */
  having: number;
  /** How many marked it as unwanted. They do not get it again. */
  complained: number;
  /** How many may have got it a moment ago, from a run that died. Nothing more is known of them yet. */
  perhaps: number;
}

/**
 * Which recipients do not have a mail.
 *
 * @param ledger over all its rounds
 * @param recipients hashes of the present recipients
 */
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
