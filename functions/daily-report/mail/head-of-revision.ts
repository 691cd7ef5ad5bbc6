import type { Manifest } from '#domain/revision/manifest.ts';
import { manifestKey } from '#domain/storage/keys.ts';
import type { MailKind } from '#mailing/message/daybook-headers.ts';
import { headOf } from '#mailing/message/mail-head.ts';
import type { SenderProfile } from '#mailing/message/sender-profile.ts';

export function headOfRevision(
  senderProfile: SenderProfile,
  brand: Parameters<typeof headOf>[1],
  kind: MailKind,
  { merchantCode, day, revision, pull }: Manifest,
): ReturnType<typeof headOf> {
  const internals = { Pull: pull, Manifest: manifestKey(day, merchantCode, revision) };
  return headOf(senderProfile, brand, { kind, merchantCode, day, revision, internals });
}
