import { pageKey } from '#records/storage/keys.ts';
import type { PagePlace } from '#records/storage/keys.ts';
import type { MailKind } from '#mail/message/mail-head.ts';
import { headOf } from '#mail/message/mail-head.ts';
import type { SenderProfile } from '#mail/message/sender-profile.ts';

export function statementMailHead(
  senderProfile: SenderProfile,
  brand: Parameters<typeof headOf>[1],
  kind: MailKind,
  place: PagePlace,
): ReturnType<typeof headOf> {
  const { owner, period, revision } = place;
  const internals = { Manifest: pageKey(place) };
  const name = owner.merchantCode ?? owner.group;
  const head = headOf(senderProfile, brand, { kind, merchantCode: name, day: period, revision, internals });
  // A group may have the name of a merchant.
  return owner.merchantCode === undefined ? { ...head, thread: `group ${name}, period ${period}` } : head;
}
