import type { SenderProfile } from '#mailing/message/sender-profile.ts';
import type { Figures } from '#domain/figures/figures.ts';
import { ledgerKey } from '#domain/storage/keys.ts';
import { refusedRecipients } from '#domain/ledger/ledger-progress.ts';
import { decideMail } from '#domain/mail/mail-decision.ts';
import { figuresOf } from '#domain/revision/manifest.ts';
import type { Manifest } from '#domain/revision/manifest.ts';
import type { MerchantSettings } from '#domain/registry/registry-schema.ts';
import { soFarUntil } from '#domain/day/so-far.ts';
import { mailOnce } from '#mailing/once/mail-once.ts';
import type { MailAnswer, MailBeginning, MailPorts } from '#mailing/once/mail-once.ts';
import type { ComposedMail } from '#mailing/once/mail-round.ts';
import type { SnapshotStore } from '#snapshots/snapshot-store.ts';
import { lastMailed } from './earlier-revisions.ts';
import type { LastMailed } from './earlier-revisions.ts';
import { heldNotice } from './pending-mail-notice.ts';

/** The ports that mailing a revision needs. */
export interface ReportMailPorts extends MailPorts {
  snapshots: SnapshotStore;
  senderProfile: SenderProfile;
}

/** The revision, the recipients and the options of the event. */
export interface ReportMailRequest {
  settings: MerchantSettings;
  manifest: Manifest;
  send: boolean;
  resend: boolean;
  /** The name of this run in ledgers. */
  writer: string;
  /** When the function ends, milliseconds UTC. */
  deadline: number;
}

/**
 * Mails a revision once: as a report, as a correction of the last mail, or not at all.
 *
 * @throws {MailRefusedError} see {@link mailOnce}
 * @throws {MailUnfinishedError} see {@link mailOnce}
 */
export async function mailRevision(ports: ReportMailPorts, request: ReportMailRequest): Promise<MailAnswer> {
  const { manifest, settings, send } = request;
  const { merchantCode, day, revision } = manifest;
  const key = ledgerKey(day, merchantCode, revision);
  if (!send && (await ports.ledgers.read(key)) !== undefined) {
    return { status: 'skipped', reason: 'not asked for', messageIds: [] };
  }
  const rendered = new RenderedOnce(ports, settings, manifest);
  let madeUpFor: MailAnswer | undefined;
  const answer = await mailOnce(ports, {
    ...request,
    key,
    tags: { merchant: merchantCode, day, revision: revision.toString() },
    recipients: settings.recipients,
    begin: async (): Promise<MailBeginning> => {
      const before = await lastMailed(ports, request);
      const { skipEmpty, recipients } = settings;
      const isSoFar = soFarUntil(manifest, settings.timeZone) !== null;
      const wasSoFar = before?.soFar === true;
      const wish = { send, skipEmpty, recipients: recipients.length, isSoFar, wasSoFar };
      const decision = decideMail(manifest, before?.figures ?? null, wish);
      const figures = figuresOf(manifest);
      if (decision.kind !== 'skipped') return { kind: decision.kind, figures, skipped: null };
      // This comes before this revision's ledger says that there is nothing to mail. A recipient who did not
      // get the earlier mail, which is still valid, still has to get it.
      if (before !== null && send && !request.resend) madeUpFor = await makeUpFor(ports, request, before);
      return { kind: 'report', figures, skipped: decision.reason };
    },
    compose: async (kind) =>
      rendered.against(kind === 'correction' ? ((await lastMailed(ports, request))?.figures ?? null) : null),
    heldNotice: (recipients) => heldNotice(manifest, revision, recipients),
  });
  return madeUpFor ?? answer;
}

/**
 * Mails an earlier revision with the same figures to the recipients who certainly did not get it.
 *
 * @returns `undefined` when every recipient did, or may have
 */
async function makeUpFor(
  ports: ReportMailPorts,
  request: ReportMailRequest,
  { revision, ledger }: LastMailed,
): Promise<MailAnswer | undefined> {
  if (refusedRecipients(ledger).length === 0) return undefined;
  const { merchantCode, day } = request.manifest;
  const manifest = await ports.snapshots.revision(merchantCode, day, revision);
  return manifest && mailRevision(ports, { ...request, manifest });
}

/** Renders a revision once. Renders it again only for another comparison. */
class RenderedOnce {
  readonly #ports: ReportMailPorts;
  readonly #settings: MerchantSettings;
  readonly #manifest: Manifest;
  #last: { before: string; mail: ComposedMail } | undefined;

  constructor(ports: ReportMailPorts, settings: MerchantSettings, manifest: Manifest) {
    this.#ports = ports;
    this.#settings = settings;
    this.#manifest = manifest;
  }

  async against(figures: Figures | null): Promise<ComposedMail> {
    const before = JSON.stringify(figures);
    if (this.#last?.before === before) return this.#last.mail;
    const { senderProfile, snapshots } = this.#ports;
    const report = { manifest: this.#manifest, before: figures, preview: false };
    // The code that renders and writes mails is loaded only when there is a mail to write.
    const { composeReport } = await import('./compose-report.ts');
    const mail = await composeReport(this.#settings, senderProfile, snapshots, report);
    this.#last = { before, mail };
    return mail;
  }
}
