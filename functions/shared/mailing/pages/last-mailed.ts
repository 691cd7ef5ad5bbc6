import { addressHash } from '#domain/storage/keys.ts';
import { withWriterGone } from '#domain/ledger/ledger-close.ts';
import {
  perhapsReceived,
  refusedRecipients,
  withRefusedSkipped,
  withUnsettledHeld,
} from '#domain/ledger/ledger-progress.ts';
import { settledStatus } from '#domain/ledger/ledger-outcome.ts';
import type { Ledger } from '#domain/ledger/ledger.ts';
import { sameFigures } from '#domain/mail/mail-decision.ts';
import { notifyOfHeld } from '../once/mail-answer.ts';
import { isStillAtWork } from '../once/mail-once.ts';
import type { MailPorts } from '../once/mail-once.ts';
import type { LastMailed, MailedPage } from './mailed-page.ts';

type EarlierPorts = Pick<MailPorts, 'ledgers' | 'clock' | 'opsNotices'>;

/** The page that is to be mailed, the run that mails it, and the end of its time. */
interface EarlierRequest {
  page: MailedPage;
  /** The name of this run in ledgers. */
  writer: string;
  /** When the function ends, milliseconds UTC. */
  deadline: number;
}

/**
 * The newest earlier revision that a recipient has or may have. After this revision's mail no older one may
 * be mailed. So this function waits for runs that mail an earlier revision, and settles the ledger of a dead
 * run. If an earlier revision has no ledger, it creates one with status `skipped`.
 */
export async function lastMailed(ports: EarlierPorts, request: EarlierRequest): Promise<LastMailed | null> {
  const { page, writer, deadline } = request;
  for (let revision = page.revision - 1; revision >= 1;) {
    const key = page.ledgerKey(revision);
    const earlier = await ports.ledgers.read(key);
    if (earlier === undefined) {
      // If that run has created its ledger in the meantime, the next turn of the loop reads it.
      await ports.ledgers.create(key, await supersededLedger(page, revision), ports.clock.now());
      continue;
    }
    if (await isStillAtWork(ports, earlier.ledger, deadline)) continue;
    const soFar = (await page.sealed(revision))?.soFar === true;
    const now = ports.clock.now();
    const at = new Date(now).toISOString();
    const closed = closedBefore(earlier.ledger, soFar, page, at);
    if (closed !== undefined) {
      // If a run of that revision is late, it finds a changed ledger and stops.
      const superseded = { ...closed, writer, reason: supersededBy(page) };
      await ports.ledgers.update(key, superseded, earlier.version, now);
      continue;
    }
    // This also runs when another run closed the ledger: that run may have died before it notified ops.
    await notifyOfHeld(ports, { key, heldNotice: page.heldNotice(revision) }, earlier.ledger);
    const { ledger } = earlier;
    if (perhapsReceived(ledger)) return { revision, figures: ledger.figures, soFar, ledger };
    revision -= 1;
  }
  return null;
}

/**
 * The earlier revision's ledger as it must be before this one is mailed, `undefined` when it is already so. A
 * dead run may have left the ledger open. When its mail is not valid any more, nobody may get it. A recipient
 * whose mail was refused gets this revision instead, as everybody does.
 */
function closedBefore(ledger: Ledger, wasSoFar: boolean, page: MailedPage, at: string): Ledger | undefined {
  // The mail about an unfinished day is out of date once the day is whole, even if no figure has changed.
  const isOver = wasSoFar && !page.soFar;
  const { figures } = page;
  const isSame =
    !isOver && ledger.figures !== null && figures !== null && sameFigures(ledger.figures, figures);
  const isStillValid = isSame && perhapsReceived(ledger);
  const isDead = ledger.status === 'intended';
  if (isDead && isStillValid) return withWriterGone(ledger, page.recipients.map(addressHash), at);
  if (!isDead && (isStillValid || refusedRecipients(ledger).length === 0)) return undefined;
  const settled = withRefusedSkipped(withUnsettledHeld(ledger, at), supersededBy(page), at);
  return { ...settled, status: settledStatus(settled) };
}

function supersededBy({ revision }: MailedPage): string {
  return `revision ${revision} came before it was mailed`;
}

async function supersededLedger(page: MailedPage, revision: number): Promise<Ledger> {
  const { readAt, readBy, firstKind, figures } = page;
  const sealed = await page.sealed(revision);
  return {
    status: 'skipped',
    kind: firstKind,
    figures: sealed === undefined ? figures : sealed.figures,
    intendedAt: readAt,
    until: readAt,
    writer: readBy,
    round: 1,
    reason: supersededBy(page),
    nothingToSend: supersededBy(page),
    recipients: [],
  };
}
