import type { LinkKeys } from '#links/link-keys.ts';
import { signedToken } from '#links/token.ts';
import { addressHash } from '#records/storage/keys.ts';
import { mailsOfLedger } from '#records/storage/readers-stop.ts';
import type { MailParts } from './mime.ts';
import type { SenderProfile } from './sender-profile.ts';

/** One process reads the key once an hour. */
const known = new WeakMap<SenderProfile, Promise<LinkKeys>>();

async function keysWith(secret: string): Promise<LinkKeys> {
  // Loaded where the stage has such links.
  const { LinkKeys: Keys } = await import('#links/link-keys.ts');
  const { createSecretsManagerClient } = await import('#runtime/secrets-manager-client.ts');
  return new Keys(createSecretsManagerClient(), secret, () => performance.now());
}

/**
 * The link with which a recipient stops mails like this one. None where the stage has no such links.
 * @param ledgerKey of the mail; `undefined` for a mail that no reader can stop
 * @param to the recipient's address
 * @throws {LinkKeyError} when the key is missing: a later run sends the mail
 */
export async function stopLinkFor(
  profile: SenderProfile,
  ledgerKey: string | undefined,
  to: string,
): Promise<Pick<MailParts, 'stopLink'>> {
  const { secret, stops } = profile.links ?? {};
  const of = ledgerKey === undefined ? undefined : mailsOfLedger(ledgerKey);
  if (secret === undefined || stops === undefined || of === undefined) return {};
  const keys = known.get(profile) ?? keysWith(secret);
  known.set(profile, keys);
  const key = await (await keys).current();
  return { stopLink: `${stops}${signedToken(key, { kind: 'stop', ...of, recipient: addressHash(to) })}` };
}
