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
import type { MailAnswer } from '#mailing/once/mail-answer.ts';
import type { MailBeginning, MailPorts } from '#mailing/once/mail-once.ts';
import type { ComposedMail } from '#mailing/once/mail-round.ts';
import type { SnapshotStore } from '#snapshots/snapshot-store.ts';
import { lastMailed } from './earlier-revisions.ts';
import type { LastMailed } from './earlier-revisions.ts';
import type { Resend } from '../daily-report-event.ts';
import { heldNotice } from './pending-mail-notice.ts';
import { resendRecipients } from './resend-recipients.ts';

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
  resend: Resend;
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
    resend: resendRecipients(ports, request),
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
      if (decision.kind === 'correction' && before !== null) {
        return { kind: 'correction', corrects: before.revision, figures, skipped: null };
      }
      if (decision.kind !== 'skipped') return { kind: 'report', figures, skipped: null };
      // This comes before this revision's ledger says that there is nothing to mail. A recipient who did not
      // get the earlier mail, which is still valid, still has to get it.
      if (before !== null && send && !request.resend) madeUpFor = await makeUpFor(ports, request, before);
      return { kind: 'report', figures, skipped: decision.reason };
    },
    compose: async (kind, corrects) =>
      rendered.against(kind === 'correction' ? await correctedMail(ports, request, corrects) : null),
    heldNotice: (recipients) => heldNotice(manifest, revision, recipients),
  });
  return madeUpFor ?? answer;
}

/**
 * The mail that a correction corrects, as the correction's ledger names it. So events about the earlier mail,
 * such as a bounce, do not change the correction that a later run sends. Ledgers of earlier versions do not
 * name it; then it is the mail that was sent last.
 *
 * @returns `null` when no figures of an earlier mail are known
 */
async function correctedMail(
  ports: ReportMailPorts,
  request: ReportMailRequest,
  corrects: number | null,
): Promise<CorrectedMail | null> {
  const { merchantCode, day } = request.manifest;
  const last =
    corrects === null
      ? await lastMailed(ports, request)
      : {
          revision: corrects,
          ledger: (await ports.ledgers.read(ledgerKey(day, merchantCode, corrects)))?.ledger,
        };
  const figures = last?.ledger?.figures ?? null;
  return last === null || figures === null ? null : { revision: last.revision, figures };
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

/** An earlier mail of the day: its revision and figures. */
interface CorrectedMail {
  revision: number;
  figures: Figures;
}

/** Renders a revision once. Renders it again only for another comparison. */
class RenderedOnce {
  readonly #ports: ReportMailPorts;
  readonly #settings: MerchantSettings;
  readonly #manifest: Manifest;
  #last: { corrected: string; mail: ComposedMail } | undefined;

  constructor(ports: ReportMailPorts, settings: MerchantSettings, manifest: Manifest) {
    this.#ports = ports;
    this.#settings = settings;
    this.#manifest = manifest;
  }

  /** @param before the mail that it corrects, `null` for a report */
  async against(before: CorrectedMail | null): Promise<ComposedMail> {
    const corrected = JSON.stringify(before);
    if (this.#last?.corrected === corrected) return this.#last.mail;
    const mail = before === null ? await this.#report() : await this.#correction(before);
    this.#last = { corrected, mail };
    return mail;
  }

  // The code that renders and writes mails is loaded only when there is a mail to write.

  async #report(): Promise<ComposedMail> {
    const { composeReport } = await import('./composers.ts');
    const { senderProfile, snapshots } = this.#ports;
    const mail = { manifest: this.#manifest, preview: false };
    return composeReport(this.#settings, senderProfile, snapshots, mail);
  }

  async #correction(before: CorrectedMail): Promise<ComposedMail> {
    const { composeCorrection } = await import('./composers.ts');
    const { senderProfile, snapshots } = this.#ports;
    return composeCorrection(this.#settings, senderProfile, snapshots, { manifest: this.#manifest, before });
  }
}
