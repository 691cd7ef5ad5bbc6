import { pageKey } from '#domain/storage/keys.ts';
import type { PagePlace } from '#domain/storage/keys.ts';
import type { MailKind } from '#mailing/message/daybook-headers.ts';
import { headOf } from '#mailing/message/mail-head.ts';
import type { SenderProfile } from '#mailing/message/sender-profile.ts';

/** The head of a mail about a statement or a group's page: its sender, its thread, and headers that name the revision. */
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
