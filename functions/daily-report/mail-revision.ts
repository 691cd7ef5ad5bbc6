import type { Figures } from '../shared/core/figures.ts';
import { ledgerKey } from '../shared/core/keys.ts';
import { perhapsReceived } from '../shared/core/ledger-progress.ts';
import { decideMail } from '../shared/core/mail-decision.ts';
import { figuresOf } from '../shared/core/manifest.ts';
import type { Manifest } from '../shared/core/manifest.ts';
import type { MerchantSettings } from '../shared/core/registry.ts';
import { mailOnce } from '../shared/mailing/mail-once.ts';
import type { MailAnswer, MailBeginning, MailPorts } from '../shared/mailing/mail-once.ts';
import type { ComposedMail } from '../shared/mailing/mail-round.ts';
import type { LedgerStore, SnapshotStore } from '../shared/ports.ts';
import { composeReport } from './compose-report.ts';

/** What mailing a revision needs of the outside. */
export interface ReportMailPorts extends MailPorts {
  snapshots: SnapshotStore;
  from: string;
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
  return mailOnce(ports, {
    ...request,
    key,
    tags: { merchant: merchantCode, day, revision: revision.toString() },
    recipients: settings.recipients,
    begin: async (): Promise<MailBeginning> => {
      const before = await lastMailed(ports.ledgers, ports.snapshots, manifest);
      const { skipEmpty, recipients } = settings;
      const decision = decideMail(manifest, before, { send, skipEmpty, recipients: recipients.length });
      const figures = figuresOf(manifest);
      if (decision.kind === 'skipped') return { kind: 'report', figures, skipped: decision.reason };
      return { kind: decision.kind, figures, skipped: null };
    },
    compose: async (kind) =>
      rendered.against(
        kind === 'correction' ? await lastMailed(ports.ledgers, ports.snapshots, manifest) : null,
      ),
    heldNotice: (recipients) => ({
      subject: `Daybook: mail held for merchant ${merchantCode}, day ${day}`,
      text: [
        `It is not known whether the mail of revision ${revision} reached ${recipients} of its recipients, so it is not sent again by itself.`,
        `Look into the ledger ${key} and at the mail service's own log.`,
        `To send it again, invoke daily-report with { "merchantCode": "${merchantCode}", "day": "${day}", "resend": true }.`,
      ].join('\n'),
    }),
  });
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
    const { from, snapshots } = this.#ports;
    const report = { manifest: this.#manifest, before: figures, preview: false };
    const mail = await composeReport(this.#settings, from, snapshots, report);
    this.#last = { before, mail };
    return mail;
  }
}

/**
 * The figures of the newest earlier revision that a recipient has or may have. Earlier revisions without a ledger get
 * one that says `skipped`: their runs, if they still live, must not mail older figures after this revision's.
 */
async function lastMailed(
  ledgers: LedgerStore,
  snapshots: SnapshotStore,
  manifest: Manifest,
): Promise<Figures | null> {
  const { merchantCode, day, pulledAt } = manifest;
  for (let revision = manifest.revision - 1; revision >= 1;) {
    const key = ledgerKey(day, merchantCode, revision);
    const earlier = await ledgers.read(key);
    if (earlier !== undefined) {
      if (perhapsReceived(earlier.ledger)) return earlier.ledger.figures;
      revision -= 1;
      continue;
    }
    const sealed = await snapshots.revision(merchantCode, day, revision);
    // When that run has created its ledger in the meantime, the next turn of the loop reads it.
    await ledgers.create(key, {
      status: 'skipped',
      kind: 'report',
      figures: figuresOf(sealed ?? manifest),
      intendedAt: pulledAt,
      until: pulledAt,
      writer: manifest.pull,
      round: 1,
      reason: `revision ${manifest.revision} came before it was mailed`,
      recipients: [],
    });
  }
  return null;
}
