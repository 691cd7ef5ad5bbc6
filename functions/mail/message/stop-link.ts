import { signedToken } from '#links/token.ts';
import { addressHash } from '#records/storage/keys.ts';
import { mailsOfLedger } from '#records/storage/readers-stop.ts';
import type { MailParts } from './mime.ts';
import type { SenderProfile } from './sender-profile.ts';

/**
 * The link with which a recipient stops mails like this one. None where the stage has no such links.
 * @param ledgerKey of the mail; `undefined` for a mail that no reader can stop
 * @param to the recipient's address
 * @throws {LinkKeyError} when the key is missing: a later run sends the mail
 */
export async function stopLinkFor(
  { links }: SenderProfile,
  ledgerKey: string | undefined,
  to: string,
): Promise<Pick<MailParts, 'stopLink'>> {
  const of = ledgerKey === undefined ? undefined : mailsOfLedger(ledgerKey);
  if (links?.secret === undefined || links.stops === undefined || of === undefined) return {};
  // Loaded where the stage has such links.
  const { linkKeysOf } = await import('#links/link-keys.ts');
  const key = await linkKeysOf(links.secret).current();
  const claim = { kind: 'stop' as const, ...of, recipient: addressHash(to) };
  return { stopLink: `${links.stops}${signedToken(key, claim)}` };
}
