import { addressHash } from '#domain/storage/keys.ts';
import { withNeverBegunFailed } from '#domain/ledger/ledger-close.ts';
import { presentRound, refusedRecipients, withUnsettledHeld } from '#domain/ledger/ledger-progress.ts';
import { roundStatus, standingEntries } from '#domain/ledger/ledger-standing.ts';
import type { Ledger, LedgerEntry } from '#domain/ledger/ledger.ts';
import type { OpsNotices } from '../ops/ops-notices.ts';
import type { VersionedLedger } from '../ledger-store.ts';
import { assertRoomForRound } from './ledger-room.ts';
import { MailRefusedError, MailUnfinishedError } from './mail-errors.ts';
import { LEASE, runMailRound } from './mail-round.ts';
import type { ComposedMail, MailRound, MailRoundPorts } from './mail-round.ts';

/** What became of a mail, as the functions answer it. */
export interface MailAnswer {
  status: 'sent' | 'already-sent' | 'skipped' | 'held' | 'preview';
  reason?: string;
  messageIds: string[];
}

/** What mailing needs of the outside. */
export interface MailPorts extends MailRoundPorts {
  opsNotices: OpsNotices;
}

/** How a ledger begins: with a mail to send, or with the reason why there is none. */
export type MailBeginning =
  | { kind: Ledger['kind']; figures: Ledger['figures']; skipped: null }
  | { kind: Ledger['kind']; figures: Ledger['figures']; skipped: string };

/** One mail, to be sent once to each of its recipients. */
export interface MailJob extends Pick<MailRound, 'key' | 'tags' | 'recipients' | 'deadline'> {
  /** Names this run in ledgers. */
  writer: string;
  /** Send it again although it was sent. */
  resend: boolean;
  /** Decides how the ledger begins; asked only when there is none. */
  begin: () => Promise<MailBeginning>;
  /** Renders the mail that the ledger is of; asked before a ledger promises it. */
  compose: (kind: Ledger['kind']) => Promise<ComposedMail>;
  /** What ops are told when it is not known whether the mail arrived. */
  heldNotice: (recipients: number) => { subject: string; text: string };
}

/** How long to wait before looking again whether another run has finished. Milliseconds. */
const LOOK_AGAIN = 500;
/** Clocks of two machines may differ by some seconds. Milliseconds. */
const CLOCK_TOLERANCE = 5_000;

/**
 * Sees to it that a mail goes out once. Whatever other runs do or did, living or dead, stands in the ledger, and every
 * turn begins with what stands there.
 *
 * @throws {MailRefusedError} when the mail service did not take some of it; a later run tries those again
 * @throws {MailUnfinishedError} when time ran out
 */
export async function mailOnce(ports: MailPorts, job: MailJob): Promise<MailAnswer> {
  for (;;) {
    const standing = await ports.ledgers.read(job.key);
    const step = standing === undefined ? await begin(ports, job) : await goOn(ports, job, standing);
    if (step === 'look again') continue;
    if ('answer' in step) return step.answer;
    const composed = await job.compose(step.mine.ledger.kind);
    const settled = await runMailRound(ports, { ...job, held: step.mine, composed });
    return roundAnswer(ports, job, settled);
  }
}

/** What a look at the ledger comes to: another look, an answer, or a round that is this run's to send. */
type Step = 'look again' | { answer: MailAnswer } | { mine: VersionedLedger };

/** Creates the ledger; when another run was quicker, its ledger is there to look at. */
async function begin(ports: MailPorts, job: MailJob): Promise<Step> {
  const { kind, figures, skipped } = await job.begin();
  // Whatever can go wrong in rendering goes wrong before anything is promised.
  if (skipped === null) await job.compose(kind);
  const now = ports.clock.now();
  const created = await ports.ledgers.create(job.key, {
    status: skipped === null ? 'intended' : 'skipped',
    kind,
    figures,
    intendedAt: new Date(now).toISOString(),
    until: new Date(now + LEASE).toISOString(),
    writer: job.writer,
    round: 1,
    reason: skipped,
    nothingToSend: skipped,
    recipients: [],
  });
  if (created === undefined) return 'look again';
  if (skipped === null) return { mine: created };
  // A person who asks for it again gets it: the ledger that says why it was not sent stands there now.
  if (job.resend) return 'look again';
  return { answer: { status: 'skipped', reason: skipped, messageIds: [] } };
}

/** Goes on where the ledger says that the mail stands. */
async function goOn(ports: MailPorts, job: MailJob, standing: VersionedLedger): Promise<Step> {
  const { ledger } = standing;
  if (ledger.status === 'intended' && ledger.writer !== job.writer) {
    if (await isStillAtWork(ports, ledger, job.deadline)) return 'look again';
    return takeOver(ports, job, standing, job.resend ? ledger.round + 1 : ledger.round);
  }
  if (job.resend) return takeOver(ports, job, standing, ledger.round + 1);
  if (refusedRecipients(ledger).length > 0) {
    return takeOver(ports, job, standing, ledger.round);
  }
  return { answer: await settledAnswer(ports, job, ledger) };
}

/**
 * Waits a moment if the ledger's writer still has time.
 *
 * @throws {MailUnfinishedError} when it has more than this run
 */
export async function isStillAtWork(
  ports: Pick<MailPorts, 'clock'>,
  ledger: Ledger,
  deadline: number,
): Promise<boolean> {
  if (ledger.status !== 'intended') return false;
  const now = ports.clock.now();
  if (now >= Date.parse(ledger.until) + CLOCK_TOLERANCE) return false;
  if (now + LOOK_AGAIN >= deadline) {
    throw new MailUnfinishedError('another run has begun to send this mail and has not finished');
  }
  await ports.clock.sleep(LOOK_AGAIN);
  return true;
}

/**
 * Makes the ledger this run's to write; what its last writer left open is held.
 *
 * @throws {LedgerFullError} when it has no room for a new round
 */
async function takeOver(
  ports: MailPorts,
  job: MailJob,
  standing: VersionedLedger,
  round: number,
): Promise<Step> {
  if (round > standing.ledger.round) assertRoomForRound(job, standing.ledger);
  const now = ports.clock.now();
  const at = new Date(now).toISOString();
  const held = withUnsettledHeld(standing.ledger, at);
  // A round that is left behind must not pass for whole because its writer did not come to everybody.
  const isLeftBehind = standing.ledger.status === 'intended' && round > standing.ledger.round;
  const ledger: Ledger = {
    ...(isLeftBehind ? withNeverBegunFailed(held, job.recipients.map(addressHash), at) : held),
    status: 'intended',
    until: new Date(now + LEASE).toISOString(),
    writer: job.writer,
    round,
    reason: null,
  };
  const mine = await ports.ledgers.update(job.key, ledger, standing.version);
  return mine === undefined ? 'look again' : { mine };
}

function messageIdsOf(entries: Iterable<LedgerEntry>): string[] {
  return [...entries].flatMap(({ messageId }) => (messageId === null ? [] : [messageId]));
}

function reasonOfSkips(ledger: Ledger): string {
  return presentRound(ledger).find((entry) => entry.reason !== null)?.reason ?? 'no recipient is left';
}

/** Tells ops, once a round, of recipients of whom it is not known whether they were written to. */
export async function notifyOfHeld(
  ports: Pick<MailPorts, 'opsNotices'>,
  job: Pick<MailJob, 'key' | 'heldNotice'>,
  ledger: Ledger,
): Promise<void> {
  const held = presentRound(ledger).filter((entry) => entry.status === 'held').length;
  if (held === 0) return;
  const { subject, text } = job.heldNotice(held);
  await ports.opsNotices.notifyOnce(`mail held: ${job.key}, round ${ledger.round}`, subject, text);
}

/** What an earlier run's ledger means for this one, which sends nothing. */
async function settledAnswer(ports: MailPorts, job: MailJob, ledger: Ledger): Promise<MailAnswer> {
  await notifyOfHeld(ports, job, ledger);
  const messageIds = messageIdsOf(standingEntries(ledger).values());
  switch (ledger.status) {
    case 'held':
      return { status: 'held', messageIds };
    case 'skipped':
      return {
        status: 'skipped',
        reason: ledger.nothingToSend ?? ledger.reason ?? reasonOfSkips(ledger),
        messageIds,
      };
    case 'intended':
    case 'accepted':
    case 'delivered':
    case 'bounced':
    case 'complained':
    case 'failed':
      return { status: 'already-sent', messageIds };
  }
}

/** What the round that this run has just settled came to. */
async function roundAnswer(ports: MailPorts, job: MailJob, ledger: Ledger): Promise<MailAnswer> {
  await notifyOfHeld(ports, job, ledger);
  const messageIds = messageIdsOf(presentRound(ledger));
  const failed = refusedRecipients(ledger);
  if (failed.length > 0) {
    const reasons = [...new Set(failed.map((entry) => entry.reason))].join(', ');
    throw new MailRefusedError(
      `${job.key}: the mail service refused ${failed.length} of the mails (${reasons})`,
    );
  }
  const status = roundStatus(ledger);
  if (status === 'held') return { status: 'held', messageIds };
  if (status === 'skipped') return { status: 'skipped', reason: reasonOfSkips(ledger), messageIds };
  return { status: 'sent', messageIds };
}
