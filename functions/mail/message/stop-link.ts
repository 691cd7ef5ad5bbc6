import { signedToken } from '#mail/links/token.ts';
import { addressHash } from '#records/storage/keys.ts';
import { mailsOfLedger } from '#records/storage/readers-stop.ts';
import type { MailParts } from './mime.ts';
import type { SenderProfile } from './sender-profile.ts';

/**
 * Makes the links with which recipients stop mails like this one. None where the stage has no such links. The key is read here,
 * before the ledger says that the mail will be sent.
 * @param ledgerKey of the mail; `undefined` for a mail that no reader can stop
 * @returns takes the recipient's address
 * @throws {LinkKeyError} when the key is missing: a later run sends the mail
 */
export async function stopLinks(
  { links }: SenderProfile,
  ledgerKey: string | undefined,
): Promise<(to: string) => Pick<MailParts, 'stopLink'>> {
  const of = ledgerKey === undefined ? undefined : mailsOfLedger(ledgerKey);
  if (links?.secret === undefined || links.stops === undefined || of === undefined) return () => ({});
  const { secret, stops } = links;
  // Loaded where the stage has such links.
  const { linkKeysOf } = await import('#mail/links/link-keys.ts');
  const key = await linkKeysOf(secret).current();
  return (to) => ({
    stopLink: `${stops}${signedToken(key, { kind: 'stop', ...of, recipient: addressHash(to) })}`,
  });
}
