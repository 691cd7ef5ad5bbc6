import type { Letterhead } from '../shared/adapters/letterhead.ts';
import type { Figures } from '../shared/core/figures.ts';
import { ledgerKey } from '../shared/core/keys.ts';
import { perhapsReceived, settledStatus, withUnsettledHeld } from '../shared/core/ledger-progress.ts';
import type { Ledger } from '../shared/core/ledger.ts';
import { decideMail } from '../shared/core/mail-decision.ts';
import { figuresOf } from '../shared/core/manifest.ts';
import type { Manifest } from '../shared/core/manifest.ts';
import type { MerchantSettings } from '../shared/core/registry.ts';
import { isStillAtWork, mailOnce, tellOfHeld } from '../shared/mailing/mail-once.ts';
import type { MailAnswer, MailBeginning, MailPorts } from '../shared/mailing/mail-once.ts';
import type { ComposedMail } from '../shared/mailing/mail-round.ts';
import type { SnapshotStore } from '../shared/ports.ts';
import { composeReport } from './compose-report.ts';

/** What mailing a revision needs of the outside. */
export interface ReportMailPorts extends MailPorts {
  snapshots: SnapshotStore;
  letterhead: Letterhead;
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
      const before = await lastMailed(ports, request);
      const { skipEmpty, recipients } = settings;
      const decision = decideMail(manifest, before, { send, skipEmpty, recipients: recipients.length });
      const figures = figuresOf(manifest);
      if (decision.kind === 'skipped') return { kind: 'report', figures, skipped: decision.reason };
      return { kind: decision.kind, figures, skipped: null };
    },
    compose: async (kind) =>
      rendered.against(kind === 'correction' ? await lastMailed(ports, request) : null),
    heldNotice: (recipients) => heldNotice(manifest, revision, recipients),
  });
}

function heldNotice({ merchantCode, day }: Manifest, revision: number, recipients: number) {
  return {
    subject: `Mail held for merchant ${merchantCode}, day ${day}`,
    text: [
      `It is not known whether the mail of revision ${revision} reached ${recipients} of its recipients, so it is not sent again by itself.`,
      `Look into the ledger ${ledgerKey(day, merchantCode, revision)} and at the mail service's own log.`,
      `To send the newest revision again, invoke daily-report with { "merchantCode": "${merchantCode}", "day": "${day}", "resend": true }.`,
    ].join('\n'),
  };
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
    const { letterhead, snapshots } = this.#ports;
    const report = { manifest: this.#manifest, before: figures, preview: false };
    const mail = await composeReport(this.#settings, letterhead, snapshots, report);
    this.#last = { before, mail };
    return mail;
  }
}

/**
 * The figures of the newest earlier revision that a recipient has or may have. Nothing older may be mailed after this
 * revision, so runs that mail an earlier one are waited for; a dead one's ledger is settled; and where there is none,
 * one that says `skipped` is put there first.
 */
async function lastMailed(ports: ReportMailPorts, request: ReportMailRequest): Promise<Figures | null> {
  const { manifest, writer, deadline } = request;
  const { merchantCode, day } = manifest;
  for (let revision = manifest.revision - 1; revision >= 1;) {
    const key = ledgerKey(day, merchantCode, revision);
    const earlier = await ports.ledgers.read(key);
    if (earlier === undefined) {
      // When that run has created its ledger in the meantime, the next turn of the loop reads it.
      await ports.ledgers.create(key, await supersededLedger(ports, manifest, revision));
      continue;
    }
    if (await isStillAtWork(ports, earlier.ledger, deadline)) continue;
    if (earlier.ledger.status === 'intended') {
      // Its writer is silent for longer than its lease; should it wake up, it finds the ledger no longer its own.
      const settled = withUnsettledHeld(earlier.ledger, new Date(ports.clock.now()).toISOString());
      const closed = { ...settled, status: settledStatus(settled), writer, reason: supersededBy(manifest) };
      await ports.ledgers.update(key, closed, earlier.version);
      continue;
    }
    // Also where another run closed it: that one may have died before it told.
    await tellOfHeld(
      ports,
      { key, heldNotice: (held) => heldNotice(manifest, revision, held) },
      earlier.ledger,
    );
    if (perhapsReceived(earlier.ledger)) return earlier.ledger.figures;
    revision -= 1;
  }
  return null;
}

function supersededBy(manifest: Manifest): string {
  return `revision ${manifest.revision} came before it was mailed`;
}

async function supersededLedger(
  ports: ReportMailPorts,
  manifest: Manifest,
  revision: number,
): Promise<Ledger> {
  const { merchantCode, day, pulledAt } = manifest;
  const sealed = await ports.snapshots.revision(merchantCode, day, revision);
  return {
    status: 'skipped',
    kind: 'report',
    figures: figuresOf(sealed ?? manifest),
    intendedAt: pulledAt,
    until: pulledAt,
    writer: manifest.pull,
    round: 1,
    reason: supersededBy(manifest),
    recipients: [],
  };
}
