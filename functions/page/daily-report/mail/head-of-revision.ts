import type { Manifest } from '#records/revision/manifest.ts';
import { manifestKey } from '#records/storage/keys.ts';
import type { MailKind } from '#mail/message/mail-head.ts';
import { headOf } from '#mail/message/mail-head.ts';
import type { SenderProfile } from '#mail/message/sender-profile.ts';

export function headOfRevision(
  senderProfile: SenderProfile,
  brand: Parameters<typeof headOf>[1],
  kind: MailKind,
  { merchantCode, day, revision, pull }: Manifest,
): ReturnType<typeof headOf> {
  const internals = { Pull: pull, Manifest: manifestKey(day, merchantCode, revision) };
  return headOf(senderProfile, brand, { kind, merchantCode, day, revision, internals });
}
