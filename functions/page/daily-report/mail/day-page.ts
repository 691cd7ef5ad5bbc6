import { soFarUntil, figuresOf } from '#records/revision/manifest.ts';
import { decideMail } from '#page/mail-decision.ts';
import type { MerchantSettings } from '#registry/registry-schema.ts';
import type { Manifest } from '#records/revision/manifest.ts';
import { unlessSpoilt } from '#page/page-store.ts';
import { pageSettings } from '#page/page-settings.ts';
import { merchantDay } from '#records/storage/keys.ts';
import type { SenderProfile } from '#mail/message/sender-profile.ts';
import type { MailedPage } from '#page/send-page.ts';
import type { SnapshotStore } from '#page/snapshot-store.ts';

// With it in one chunk: a run that mails loads one file.
export { mailAsAsked } from '#page/send-page.ts';

export interface DayPagePorts {
  snapshots: SnapshotStore;
  senderProfile: SenderProfile;
}

/**
 * A day's revision, for the mailing.
 * @param registered of the registry
 */
export function dayPage(ports: DayPagePorts, registered: MerchantSettings, manifest: Manifest): MailedPage {
  const settings = pageSettings(manifest, registered);
  const { snapshots, senderProfile } = ports;
  const { merchantCode, day, revision } = manifest;
  const isSoFar = (sealed: Manifest) => soFarUntil(sealed, settings.timeZone) !== null;
  const soFar = isSoFar(manifest);
  const id = merchantDay(merchantCode, day);
  return {
    id,
    revision,
    figures: figuresOf(manifest),
    soFar,
    readAt: manifest.pulledAt,
    readBy: manifest.pull,
    firstKind: 'report',
    recipients: settings.recipients,
    sealed: async (number) => {
      const sealed = await unlessSpoilt(() => snapshots.revision({ ...id, revision: number }));
      return sealed && { figures: figuresOf(sealed), soFar: isSoFar(sealed) };
    },
    decide: (before) => decideMail(manifest, before, { skipEmpty: settings.skipEmpty, soFar }),
    // The code that renders and writes mails is loaded only when there is a mail to write.
    compose: async (corrects) => {
      const { composeCorrection, composeReport } = await import('./composers.ts');
      if (corrects === null || corrects.figures === null) {
        return composeReport(settings, senderProfile, snapshots, { manifest, preview: false });
      }
      const before = { revision: corrects.revision, figures: corrects.figures };
      return composeCorrection(settings, senderProfile, snapshots, { manifest, before });
    },
    earlier: async (number) => {
      const earlier = await snapshots.revision({ ...id, revision: number });
      return earlier && dayPage(ports, registered, earlier);
    },
  };
}
