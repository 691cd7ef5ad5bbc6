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

/** What mailing a revision needs of the outside. */
export interface ReportMailPorts extends MailPorts {
  snapshots: SnapshotStore;
  senderProfile: SenderProfile;
}

/** Which revision, to whom, and what was asked for. */
export interface ReportMailRequest {
  settings: MerchantSettings;
  manifest: Manifest;
  send: boolean;
  resend: boolean;
  /** Names this run in ledgers. */
  writer: string;
  /** When the function ends, milliseconds UTC. */
  deadline: number;
}

/**
 * Sees to it that a revision is mailed once: as a report, as a correction of what was mailed before, or not at all.
 *
 * @throws {MailRefusedError} {@link mailOnce}
 * @throws {MailUnfinishedError} {@link mailOnce}
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
      // Before this ledger says that there is nothing to mail: whom the mail that still stands did not reach is owed it.
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
 * Mails an earlier revision, which shows the same as this one, to those who certainly did not get it.
 *
 * @returns `undefined` where everybody did, or may have
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

/** Renders a revision, and again only when it is to be compared with something else. */
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
    // What renders and writes mails is loaded where there is one to write.
    const { composeReport } = await import('./compose-report.ts');
    const mail = await composeReport(this.#settings, senderProfile, snapshots, report);
    this.#last = { before, mail };
    return mail;
  }
}
