import type { Figures } from '#domain/figures/figures.ts';
import { addressHash, ledgerKey } from '#domain/storage/keys.ts';
import { withWriterGone } from '#domain/ledger/ledger-close.ts';
import {
  perhapsReceived,
  refusedRecipients,
  withRefusedSkipped,
  withUnsettledHeld,
} from '#domain/ledger/ledger-progress.ts';
import { settledStatus } from '#domain/ledger/ledger-standing.ts';
import type { Ledger } from '#domain/ledger/ledger.ts';
import { sameFigures } from '#domain/mail/mail-decision.ts';
import { figuresOf } from '#domain/revision/manifest.ts';
import type { Manifest } from '#domain/revision/manifest.ts';
import type { MerchantSettings } from '#domain/registry/registry-schema.ts';
import { soFarUntil } from '#domain/day/so-far.ts';
import { notifyOfHeld } from '#mailing/once/mail-answer.ts';
import { isStillAtWork } from '#mailing/once/mail-once.ts';
import type { MailPorts } from '#mailing/once/mail-once.ts';
import { isUnreadableObject } from '#aws/unreadable-object.ts';
import type { SnapshotStore } from '#snapshots/snapshot-store.ts';
import { heldNotice } from './pending-mail-notice.ts';

type EarlierPorts = Pick<MailPorts, 'ledgers' | 'clock' | 'opsNotices'> & { snapshots: SnapshotStore };

/** The revision that is to be mailed, the run that mails it, and the end of its time. */
interface EarlierRequest {
  settings: MerchantSettings;
  manifest: Manifest;
  /** The name of this run in ledgers. */
  writer: string;
  /** When the function ends, milliseconds UTC. */
  deadline: number;
}

/** An earlier revision that a recipient has or may have. */
export interface LastMailed {
  revision: number;
  figures: Figures | null;
  /** Whether its mail was about an unfinished day. */
  soFar: boolean;
  ledger: Ledger;
}

/**
 * The newest earlier revision that a recipient has or may have. After this revision's mail no older one may
 * be mailed. So this function waits for runs that mail an earlier revision, and settles the ledger of a dead
 * run. If an earlier revision has no ledger, it creates one with status `skipped`.
 */
export async function lastMailed(ports: EarlierPorts, request: EarlierRequest): Promise<LastMailed | null> {
  const { manifest, writer, deadline } = request;
  const { merchantCode, day } = manifest;
  for (let revision = manifest.revision - 1; revision >= 1;) {
    const key = ledgerKey(day, merchantCode, revision);
    const earlier = await ports.ledgers.read(key);
    if (earlier === undefined) {
      // If that run has created its ledger in the meantime, the next turn of the loop reads it.
      const superseded = await supersededLedger(ports, manifest, revision);
      await ports.ledgers.create(key, superseded, ports.clock.now());
      continue;
    }
    if (await isStillAtWork(ports, earlier.ledger, deadline)) continue;
    const sealed = await readableRevision(ports.snapshots, manifest, revision);
    const soFar = sealed !== undefined && isSoFar(sealed, request);
    const now = ports.clock.now();
    const at = new Date(now).toISOString();
    const closed = closedBefore(earlier.ledger, soFar, request, at);
    if (closed !== undefined) {
      // If a run of that revision is late, it finds a changed ledger and stops.
      const superseded = { ...closed, writer, reason: supersededBy(manifest) };
      await ports.ledgers.update(key, superseded, earlier.version, now);
      continue;
    }
    // This also runs when another run closed the ledger: that run may have died before it notified ops.
    await notifyOfHeld(
      ports,
      { key, heldNotice: (held) => heldNotice(manifest, revision, held) },
      earlier.ledger,
    );
    const { ledger } = earlier;
    if (perhapsReceived(ledger)) return { revision, figures: ledger.figures, soFar, ledger };
    revision -= 1;
  }
  return null;
}

/**
 * An earlier revision's manifest, `undefined` when it is gone or spoilt. A spoilt manifest must not hold up
 * the mails of all later revisions. A failure of S3 is thrown: a later run reads the manifest.
 */
export async function readableRevision(
  snapshots: SnapshotStore,
  { merchantCode, day }: Manifest,
  revision: number,
): Promise<Manifest | undefined> {
  try {
    return await snapshots.revision(merchantCode, day, revision);
  } catch (error) {
    if (!isUnreadableObject(error)) throw error;
    return undefined;
  }
}

function isSoFar(sealed: Manifest, { settings }: EarlierRequest): boolean {
  return soFarUntil(sealed, settings.timeZone) !== null;
}

/**
 * The earlier revision's ledger as it must be before this one is mailed, `undefined` when it is already so. A
 * dead run may have left the ledger open. When its mail is not valid any more, nobody may get it. A recipient
 * whose mail was refused gets this revision instead, as everybody does.
 */
function closedBefore(
  ledger: Ledger,
  wasSoFar: boolean,
  request: EarlierRequest,
  at: string,
): Ledger | undefined {
  const { manifest, settings } = request;
  // The mail about an unfinished day is out of date once the day is whole, even if no figure has changed.
  const isOver = wasSoFar && !isSoFar(manifest, request);
  const isSame = !isOver && ledger.figures !== null && sameFigures(ledger.figures, figuresOf(manifest));
  const isStillValid = isSame && perhapsReceived(ledger);
  const isDead = ledger.status === 'intended';
  if (isDead && isStillValid) return withWriterGone(ledger, settings.recipients.map(addressHash), at);
  if (!isDead && (isStillValid || refusedRecipients(ledger).length === 0)) return undefined;
  const settled = withRefusedSkipped(withUnsettledHeld(ledger, at), supersededBy(manifest), at);
  return { ...settled, status: settledStatus(settled) };
}

function supersededBy(manifest: Manifest): string {
  return `revision ${manifest.revision} came before it was mailed`;
}

async function supersededLedger(ports: EarlierPorts, manifest: Manifest, revision: number): Promise<Ledger> {
  const { pulledAt } = manifest;
  const sealed = await readableRevision(ports.snapshots, manifest, revision);
  return {
    status: 'skipped',
    kind: 'report',
    figures: figuresOf(sealed ?? manifest),
    intendedAt: pulledAt,
    until: pulledAt,
    writer: manifest.pull,
    round: 1,
    reason: supersededBy(manifest),
    nothingToSend: supersededBy(manifest),
    recipients: [],
  };
}
