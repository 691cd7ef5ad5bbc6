import { addressHash } from '#domain/storage/keys.ts';
import { withNeverBegunFailed } from '#domain/ledger/ledger-close.ts';
import { presentRound, refusedRecipients, withUnsettledHeld } from '#domain/ledger/ledger-progress.ts';
import { roundStatus, standingEntries } from '#domain/ledger/ledger-standing.ts';
import type { Ledger, LedgerEntry } from '#domain/ledger/ledger.ts';
import type { UnnamedNotice } from '#domain/notices/ops-notice.ts';
import type { OpsNotices } from '../ops/ops-notices.ts';
import type { VersionedLedger } from '../ledger-store.ts';
import { assertRoomForRound } from './ledger-room.ts';
import { MailRefusedError, MailUnfinishedError } from './mail-errors.ts';
import { LEASE, runMailRound } from './mail-round.ts';
import type { ComposedMail, MailRound, MailRoundPorts } from './mail-round.ts';

/** What became of a mail, for the answer of a function. */
export interface MailAnswer {
  status: 'sent' | 'already-sent' | 'skipped' | 'held' | 'preview';
  reason?: string;
  messageIds: string[];
}

/** The ports that mailing needs. */
export interface MailPorts extends MailRoundPorts {
  opsNotices: OpsNotices;
}

/** How a ledger begins: with a mail to send, or with the reason why there is none. */
export type MailBeginning =
  | { kind: Ledger['kind']; corrects?: number; figures: Ledger['figures']; skipped: null }
  | { kind: Ledger['kind']; figures: Ledger['figures']; skipped: string };

/** One mail that is sent once to each of its recipients. */
export interface MailJob extends Pick<MailRound, 'key' | 'tags' | 'recipients' | 'deadline'> {
  /** The name of this run in ledgers. */
  writer: string;
  /** Whether to send the mail again when it was sent already. */
  resend: boolean;
  /** Decides how the ledger begins. Called only when there is no ledger. */
  begin: () => Promise<MailBeginning>;
  /**
   * Renders the mail. Called before the ledger says that it will be sent.
   *
   * @param corrects as in the ledger: a run that continues renders the same mail
   */
  compose: (kind: Ledger['kind'], corrects: number | null) => Promise<ComposedMail>;
  /** The notice to ops when a mail may or may not have arrived. */
  heldNotice: (recipients: number) => UnnamedNotice;
}

/** How long to wait before looking again whether another run has finished. Milliseconds. */
const LOOK_AGAIN = 500;
/** Clocks of two machines may differ by some seconds. Milliseconds. */
const CLOCK_TOLERANCE = 5_000;

/**
 * Sends a mail once to each recipient. The ledger records what other runs do or did, also dead ones. Every
 * turn of the loop starts with reading the ledger.
 *
 * @throws {MailRefusedError} when the mail service refused a part; a later run tries those recipients again
 * @throws {MailUnfinishedError} when time ran out
 */
export async function mailOnce(ports: MailPorts, job: MailJob): Promise<MailAnswer> {
  for (;;) {
    const standing = await ports.ledgers.read(job.key);
    const step = standing === undefined ? await begin(ports, job) : await continueMail(ports, job, standing);
    if (step === 'look again') continue;
    if ('answer' in step) return step.answer;
    const { kind, corrects = null } = step.mine.ledger;
    const composed = await job.compose(kind, corrects);
    const settled = await runMailRound(ports, { ...job, held: step.mine, composed });
    return roundAnswer(ports, job, settled);
  }
}

/** The result of one look at the ledger: look again, an answer, or a round that this run is to send. */
type Step = 'look again' | { answer: MailAnswer } | { mine: VersionedLedger };

/** Creates the ledger. When another run was faster, its ledger is looked at. */
async function begin(ports: MailPorts, job: MailJob): Promise<Step> {
  const beginning = await job.begin();
  const { kind, figures, skipped } = beginning;
  const corrects = ('corrects' in beginning ? beginning.corrects : undefined) ?? null;
  // All errors of rendering come before the ledger says that a mail will be sent.
  if (skipped === null) await job.compose(kind, corrects);
  const now = ports.clock.now();
  const created = await ports.ledgers.create(job.key, {
    status: skipped === null ? 'intended' : 'skipped',
    kind,
    corrects,
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
  // A person who asks for it again gets it: the ledger now exists and says why it was not sent.
  if (job.resend) return 'look again';
  return { answer: { status: 'skipped', reason: skipped, messageIds: [] } };
}

/** Continues from the state in the ledger. */
async function continueMail(ports: MailPorts, job: MailJob, standing: VersionedLedger): Promise<Step> {
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
 * Waits a moment if the ledger's run still has time.
 *
 * @throws {MailUnfinishedError} when that run has more time than this one
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
 * Makes the ledger belong to this run. Entries that its last run left open become `held`.
 *
 * @throws {LedgerFullError} when the ledger has no room for a new round
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
  // An unfinished round that is left behind must not look whole because its run did not reach every
  // recipient.
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

/** Notifies ops, once a round, of recipients who may or may not have the mail. */
export async function notifyOfHeld(
  ports: Pick<MailPorts, 'opsNotices'>,
  job: Pick<MailJob, 'key' | 'heldNotice'>,
  ledger: Ledger,
): Promise<void> {
  const held = presentRound(ledger).filter((entry) => entry.status === 'held').length;
  if (held === 0) return;
  const about = `mail held: ${job.key}, round ${ledger.round}`;
  await ports.opsNotices.notifyOnce({ about, ...job.heldNotice(held) });
}

/** The answer of this run, which sends nothing, from an earlier run's ledger. */
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

/** The answer about the round that this run has just settled. */
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
