import type { Figures } from '../shared/core/figures.ts';
import { ledgerKey } from '../shared/core/keys.ts';
import { perhapsReceived, presentRound, withUnsettledHeld } from '../shared/core/ledger-progress.ts';
import type { Ledger } from '../shared/core/ledger.ts';
import { decideMail } from '../shared/core/mail-decision.ts';
import { figuresOf } from '../shared/core/manifest.ts';
import type { Manifest } from '../shared/core/manifest.ts';
import type { MerchantSettings } from '../shared/core/registry.ts';
import type { LedgerStore, OpsNotices, SnapshotStore, VersionedLedger } from '../shared/ports.ts';
import { composeReport } from './compose-report.ts';
import type { ComposedReport } from './compose-report.ts';
import { MailRefusedError, MailUnfinishedError } from './mail-errors.ts';
import { LEASE, runMailRound } from './mail-round.ts';
import type { MailRoundPorts } from './mail-round.ts';

/** What became of the mail, as `daily-report` answers it. */
export interface MailAnswer {
  status: 'sent' | 'already-sent' | 'skipped' | 'held' | 'preview';
  reason?: string;
  messageIds: string[];
}

/** What mailing needs of the outside. */
export interface MailPorts extends MailRoundPorts {
  snapshots: SnapshotStore;
  opsNotices: OpsNotices;
  from: string;
}

/** Which revision, to whom, and what was asked for. */
export interface MailRequest {
  settings: MerchantSettings;
  manifest: Manifest;
  send: boolean;
  /** Send it again although it was sent. */
  resend: boolean;
  /** Names this run in ledgers. */
  writer: string;
  /** When the function ends, milliseconds UTC. */
  deadline: number;
}

/** How long to wait before looking again whether another run has finished. Milliseconds. */
const LOOK_AGAIN = 500;
/** Clocks of two machines may differ by some seconds. Milliseconds. */
const CLOCK_TOLERANCE = 5_000;

/**
 * Sees to it that a revision is mailed once. Whatever other runs do or did, living or dead, stands in the ledger, and
 * every step begins with what stands there.
 *
 * @throws {MailRefusedError} when the mail service did not take some of it; a later run tries those again
 * @throws {MailUnfinishedError} when time ran out
 */
export async function mailRevision(ports: MailPorts, request: MailRequest): Promise<MailAnswer> {
  const { manifest, settings } = request;
  const { merchantCode, day, revision } = manifest;
  let composed: { before: string; report: ComposedReport } | undefined;
  const compose = async (figures: Figures | null): Promise<ComposedReport> => {
    const before = JSON.stringify(figures);
    if (composed?.before !== before) {
      const mail = { manifest, before: figures, preview: false };
      composed = { before, report: await composeReport(settings, ports.from, ports.snapshots, mail) };
    }
    return composed.report;
  };

  for (;;) {
    const standing = await ports.ledgers.read(merchantCode, day, revision);
    let mine: VersionedLedger | undefined;
    if (standing === undefined) {
      const before = await lastMailed(ports.ledgers, ports.snapshots, manifest);
      const decision = decideMail(manifest, before, {
        send: request.send,
        skipEmpty: settings.skipEmpty,
        recipients: settings.recipients.length,
      });
      if (decision.kind === 'skipped') {
        const skipped = {
          ...newLedger(ports, request, 'report'),
          status: 'skipped' as const,
          reason: decision.reason,
        };
        const created = await ports.ledgers.create(merchantCode, day, revision, skipped);
        // A person who asks for it again gets it: the ledger that says why it was not sent stands there now.
        if (created === undefined || request.resend) continue;
        return { status: 'skipped', reason: decision.reason, messageIds: [] };
      }
      // Whatever can go wrong in rendering goes wrong before anything is promised.
      await compose(decision.before);
      mine = await ports.ledgers.create(
        merchantCode,
        day,
        revision,
        newLedger(ports, request, decision.kind),
      );
    } else if (!request.send) {
      return { status: 'skipped', reason: 'not asked for', messageIds: [] };
    } else if (standing.ledger.status === 'intended' && standing.ledger.writer !== request.writer) {
      if (await isStillAtWork(ports, standing.ledger, request.deadline)) continue;
      mine = await takeOver(ports, request, standing, standing.ledger.round);
    } else if (request.resend) {
      mine = await takeOver(ports, request, standing, standing.ledger.round + 1);
    } else if (presentRound(standing.ledger).some((entry) => entry.status === 'failed')) {
      mine = await takeOver(ports, request, standing, standing.ledger.round);
    } else {
      return settledAnswer(ports, manifest, standing.ledger);
    }
    // Another run was quicker; look again at what it does.
    if (mine === undefined) continue;
    const before =
      mine.ledger.kind === 'report' ? null : await lastMailed(ports.ledgers, ports.snapshots, manifest);
    const settled = await runMailRound(ports, {
      manifest,
      held: mine,
      recipients: settings.recipients,
      composed: await compose(before),
      deadline: request.deadline,
    });
    return roundAnswer(ports, manifest, settled);
  }
}

function newLedger(ports: MailPorts, request: MailRequest, kind: Ledger['kind']): Ledger {
  const now = ports.clock.now();
  return {
    status: 'intended',
    kind,
    figures: figuresOf(request.manifest),
    intendedAt: new Date(now).toISOString(),
    until: new Date(now + LEASE).toISOString(),
    writer: request.writer,
    round: 1,
    reason: null,
    recipients: [],
  };
}

/** Waits a moment if the ledger's writer still has time. */
async function isStillAtWork(ports: MailPorts, ledger: Ledger, deadline: number): Promise<boolean> {
  const now = ports.clock.now();
  if (now >= Date.parse(ledger.until) + CLOCK_TOLERANCE) return false;
  if (now + LOOK_AGAIN >= deadline) {
    throw new MailUnfinishedError('another run has begun to send this mail and has not finished');
  }
  await ports.clock.sleep(LOOK_AGAIN);
  return true;
}

/** Makes the ledger this run's to write; what its last writer left open is held. */
function takeOver(
  ports: MailPorts,
  request: MailRequest,
  standing: VersionedLedger,
  round: number,
): Promise<VersionedLedger | undefined> {
  const now = ports.clock.now();
  const { merchantCode, day, revision } = request.manifest;
  const ledger: Ledger = {
    ...withUnsettledHeld(standing.ledger, new Date(now).toISOString()),
    status: 'intended',
    until: new Date(now + LEASE).toISOString(),
    writer: request.writer,
    round,
    reason: null,
  };
  return ports.ledgers.update(merchantCode, day, revision, ledger, standing.version);
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
  const { merchantCode, day } = manifest;
  for (let revision = manifest.revision - 1; revision >= 1;) {
    const earlier = await ledgers.read(merchantCode, day, revision);
    if (earlier !== undefined) {
      if (perhapsReceived(earlier.ledger)) return earlier.ledger.figures;
      revision -= 1;
      continue;
    }
    const sealed = await snapshots.revision(merchantCode, day, revision);
    const { pulledAt } = manifest;
    // When that run has created its ledger in the meantime, the next turn of the loop reads it.
    await ledgers.create(merchantCode, day, revision, {
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

function messageIdsOf(ledger: Ledger): string[] {
  return presentRound(ledger).flatMap(({ messageId }) => (messageId === null ? [] : [messageId]));
}

async function tellOfHeld(ports: MailPorts, manifest: Manifest, ledger: Ledger): Promise<void> {
  const held = presentRound(ledger).filter((entry) => entry.status === 'held').length;
  if (held === 0) return;
  const { merchantCode, day, revision } = manifest;
  const key = ledgerKey(day, merchantCode, revision);
  await ports.opsNotices.tellOnce(
    `mail held: ${key}, round ${ledger.round}`,
    `Daybook: mail held for merchant ${merchantCode}, day ${day}`,
    [
      `It is not known whether the mail of revision ${revision} reached ${held} of its recipients, so it is not sent again by itself.`,
      `Look into the ledger ${key} and at the mail service's own log.`,
      `To send it again, invoke daily-report with { "merchantCode": "${merchantCode}", "day": "${day}", "resend": true }.`,
    ].join('\n'),
  );
}

/** What an earlier run's ledger means for this one, which sends nothing. */
async function settledAnswer(ports: MailPorts, manifest: Manifest, ledger: Ledger): Promise<MailAnswer> {
  await tellOfHeld(ports, manifest, ledger);
  const messageIds = messageIdsOf(ledger);
  switch (ledger.status) {
    case 'held':
      return { status: 'held', messageIds };
    case 'skipped':
      return { status: 'skipped', reason: ledger.reason ?? reasonOfSkips(ledger), messageIds };
    case 'intended':
    case 'accepted':
    case 'delivered':
    case 'bounced':
    case 'complained':
    case 'failed':
      return { status: 'already-sent', messageIds };
  }
}

function reasonOfSkips(ledger: Ledger): string {
  return presentRound(ledger).find((entry) => entry.reason !== null)?.reason ?? 'no recipient is left';
}

/** What the round that this run has just settled came to. */
async function roundAnswer(ports: MailPorts, manifest: Manifest, ledger: Ledger): Promise<MailAnswer> {
  await tellOfHeld(ports, manifest, ledger);
  const messageIds = messageIdsOf(ledger);
  const failed = presentRound(ledger).filter((entry) => entry.status === 'failed');
  if (failed.length > 0) {
    const reasons = [...new Set(failed.map((entry) => entry.reason))].join(', ');
    const key = ledgerKey(manifest.day, manifest.merchantCode, manifest.revision);
    throw new MailRefusedError(`${key}: the mail service refused ${failed.length} of the mails (${reasons})`);
  }
  if (ledger.status === 'held') return { status: 'held', messageIds };
  if (ledger.status === 'skipped') return { status: 'skipped', reason: reasonOfSkips(ledger), messageIds };
  return { status: 'sent', messageIds };
}
