import { addressHash } from '#records/storage/keys.ts';
import {
  WRITER_GONE,
  hadNothingToSend,
  lackingMail,
  withNeverBegunFailed,
  perhapsReceived,
  presentEntries,
  refusedRecipients,
  withUnsettledHeld,
  audienceOf,
  formerOf,
  withAudience,
} from '#records/ledger/ledger-rounds.ts';
import type { Lacking } from '#records/ledger/ledger-rounds.ts';
import { MOST_ALERTS_KEPT, type Ledger } from '#records/ledger/ledger.ts';
import type { OpsNotices } from '../notices/ops-notices.ts';
import type { VersionedLedger } from '../ledger-store.ts';
import { roundAnswer, settledAnswer, MailUnfinishedError, LedgerFullError } from './mail-answer.ts';
import type { HeldNotice, MailAnswer } from './mail-answer.ts';
import { LEASE, runMailRound } from './mail-round.ts';
import type { ClaimedRound, ComposedMail, MailRound, MailRoundPorts } from './mail-round.ts';
import { MOST_LEDGER_ENTRIES } from '#records/storage/object-bounds.ts';

/** A hash with its quotes and comma has 67 bytes, an entry has 640. */
const NAMES_PER_ENTRY = 9;

/**
 * A mail without room for its record would be unknown to events and later runs.
 * @param named hashes that a partial round names
 * @throws {LedgerFullError} when there is no room
 */
function assertRoomForRound(
  job: { key: string; recipients: readonly string[] },
  ledger: Ledger,
  named: readonly string[],
): void {
  const entries = ledger.recipients.length;
  // Partial rounds name their recipients.
  const names = (ledger.partial ?? []).reduce(
    (sum, { to, former = [] }) => sum + to.length + former.length,
    named.length,
  );
  // The round before may lack some recipients. They are added to it first.
  const needed = 2 * job.recipients.length + Math.ceil(names / NAMES_PER_ENTRY);
  if (entries + needed <= MOST_LEDGER_ENTRIES) return;
  throw new LedgerFullError(`${job.key}: ${entries} entries leave no room for another round`);
}

export interface MailPorts extends MailRoundPorts {
  opsNotices: Pick<OpsNotices, 'notifyOnce'>;
}

export interface MailBeginning extends Pick<Ledger, 'kind' | 'figures' | 'alerts' | 'says' | 'tells'> {
  /** The revision that a correction corrects. */
  corrects?: number;
  /** Why there is no mail to send, `null` when there is one. */
  skipped: string | null;
}

/** What the ledger says of the mail to compose. */
export type Begun = Pick<Ledger, 'kind' | 'corrects' | 'tells'>;

/** @param ledger so far. An entry `intended` is of a run that died a moment ago */
type ChooseRecipients = (ledger: Ledger) => Promise<ChosenRecipients>;

export interface ChosenRecipients {
  /** Hashes of addresses. */
  to: readonly string[];
  /** Of those who are recipients no more, and got or should have got the mail. */
  former: readonly string[];
  /** The reason in the answer when there are none. */
  ifNone: string;
}

export interface MailJob extends Pick<MailRound, 'key' | 'tags' | 'recipients' | 'deadline'> {
  writer: string;
  /** As far as is known. It is read otherwise. */
  isNew?: boolean;
  /** When it was sent already: to all recipients, or to those that are chosen. */
  resend: boolean | ChooseRecipients;
  /** Called only when there is no ledger. */
  begin: () => Promise<MailBeginning>;
  /** Called before the ledger says that it will be sent. */
  compose: (begun: Begun) => Promise<ComposedMail>;
  /** Whether it still tells what a report tells of earlier days: asked as long as nobody has it. Left out: it does. */
  tells?: () => Promise<boolean>;
  heldNotice: HeldNotice;
}

/** Milliseconds. */
const LOOK_AGAIN = 500;
/** Milliseconds. Clocks of two machines may differ. */
const CLOCK_TOLERANCE = 5_000;

/**
 * Sends a mail once to each recipient. The ledger, read at every turn, says what other runs did, also dead ones.
 * @throws {MailRefusedError} when a part was refused; a later run tries those recipients again
 * @throws {MailUnfinishedError} when time ran out
 */
export async function mailOnce(ports: MailPorts, job: MailJob): Promise<MailAnswer> {
  for (let isFirst = true; ; isFirst = false) {
    const standing = isFirst && job.isNew === true ? undefined : await ports.ledgers.read(job.key);
    const step = standing === undefined ? await begin(ports, job) : await continueMail(ports, job, standing);
    if (step === 'look again') continue;
    if ('answer' in step) return step.answer;
    const composed = await job.compose(step.claim.ledger);
    const settled = await runMailRound(ports, { ...job, ...step, composed });
    if (settled !== undefined) return roundAnswer(ports, job, settled);
  }
}

type Step = 'look again' | { answer: MailAnswer } | { claim: ClaimedRound };

/** When another run was faster, its ledger is looked at. */
async function begin(ports: MailPorts, job: MailJob): Promise<Step> {
  const [beginning] = await Promise.all([
    prepared(job),
    // Preparing reads sealed rows and earlier ledgers, so the marker costs no time of its own.
    ports.ledgers.announce(job.key, ports.clock.now()),
  ]);
  const { kind, figures, alerts, says, tells, skipped, corrects = null } = beginning;
  const now = ports.clock.now();
  const at = new Date(now).toISOString();
  const ledger: Ledger = {
    status: skipped === null ? 'intended' : 'skipped',
    kind,
    corrects,
    figures,
    ...(alerts !== undefined && { alerts: alerts.slice(0, MOST_ALERTS_KEPT) }),
    ...(says !== undefined && { says }),
    ...(tells !== undefined && { tells }),
    intendedAt: at,
    until: new Date(now + LEASE).toISOString(),
    writer: job.writer,
    round: 1,
    reason: skipped,
    nothingToSend: skipped,
    recipients: [],
  };
  const create = (first: Ledger) => ports.ledgers.create(job.key, first, ports.clock.now());
  const isForChosen = typeof job.resend === 'function';
  if (skipped === null && !isForChosen) return { claim: { ledger, write: create } };
  // A resend to chosen recipients is a round of its own. The others get the mail from the next run.
  const created = await create(skipped === null ? withNobodyWritten(ledger, job, at) : ledger);
  // A person who asks for it again gets it: the ledger now exists and says why it was not sent.
  if (created === undefined || skipped === null || job.resend !== false) return 'look again';
  return { answer: { status: 'skipped', reason: skipped, messageIds: [] } };
}

/** All errors of rendering come before the ledger says that the mail will be sent. */
async function prepared(job: MailJob): Promise<MailBeginning> {
  const beginning = await job.begin();
  if (beginning.skipped === null) await job.compose(beginning);
  return beginning;
}

function withNobodyWritten(ledger: Ledger, { recipients }: MailJob, at: string): Ledger {
  return { ...withNeverBegunFailed(ledger, recipients.map(addressHash), at), status: 'failed' };
}

async function continueMail(ports: MailPorts, job: MailJob, found: VersionedLedger): Promise<Step> {
  const { ledger } = found;
  const isUnfinished = ledger.status === 'intended' && ledger.writer !== job.writer;
  if (isUnfinished && (await isStillAtWork(ports, ledger, job.deadline))) return 'look again';
  if (job.resend !== false) return sendAgain(ports, job, await retold(job, found), job.resend);
  if (isUnfinished || refusedRecipients(ledger).length > 0) return goOn(ports, job, await retold(job, found));
  return { answer: await settledAnswer(ports, job, ledger) };
}

/** While nobody has the mail, another one may have told what it was to tell. */
async function retold({ tells }: MailJob, found: VersionedLedger): Promise<VersionedLedger> {
  if (tells === undefined || found.ledger.kind !== 'report' || perhapsReceived(found.ledger)) return found;
  const { tells: _before, ...ledger } = found.ledger;
  return { ...found, ledger: (await tells()) ? ledger : { ...ledger, tells: false } };
}

/** Waits if the ledger's run still has time. @throws {MailUnfinishedError} when it has more than this one */
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

/** Continues the round, also for those who certainly have no mail. */
function goOn(ports: MailPorts, job: MailJob, { ledger, version }: VersionedLedger): Step {
  const held = withUnsettledHeld(ledger, nowOf(ports));
  const audience = audienceOf(ledger);
  const refused = refusedRecipients(held).map(({ to }) => to);
  const taken = audience === null ? held : withAudience(held, [...audience, ...refused], formerOf(held));
  return takeOver(ports, job, taken, version);
}

/** Entries that a dead run left open become `held`. @throws {LedgerFullError} when there is no room */
async function sendAgain(
  ports: MailPorts,
  job: MailJob,
  standing: VersionedLedger,
  resend: true | ChooseRecipients,
): Promise<Step> {
  const known = withRoundLeftBehind(standing.ledger, job, nowOf(ports));
  const chosen = resend === true ? null : await resend(known);
  if (chosen?.to.length === 0) {
    // What a dead run left is settled all the same.
    if (known.status === 'intended') return goOn(ports, job, standing);
    return { answer: { status: 'skipped', reason: chosen.ifNone, messageIds: [] } };
  }
  assertRoomForRound(job, standing.ledger, chosen === null ? [] : [...chosen.to, ...chosen.former]);
  const held = withUnsettledHeld(known, nowOf(ports));
  const next = withAudience({ ...held, round: held.round + 1 }, chosen?.to ?? null, chosen?.former);
  return takeOver(ports, job, next, standing.version);
}

/** A round must not look whole because its run did not reach every recipient. */
function withRoundLeftBehind(ledger: Ledger, { recipients }: MailJob, at: string): Ledger {
  // A sweep that did not know the recipients closed it without them.
  if (ledger.status !== 'intended' && ledger.reason !== WRITER_GONE) return ledger;
  return withNeverBegunFailed(ledger, audienceOf(ledger) ?? recipients.map(addressHash), at);
}

function takeOver(ports: MailPorts, job: MailJob, ledger: Ledger, version: string): Step {
  const taken: Ledger = {
    ...ledger,
    status: 'intended',
    until: new Date(ports.clock.now() + LEASE).toISOString(),
    writer: job.writer,
    reason: null,
    // Ledgers of earlier versions say it by their status alone, which changes now.
    nothingToSend: ledger.nothingToSend ?? (hadNothingToSend(ledger) ? ledger.reason : null),
  };
  const write = (first: Ledger) => ports.ledgers.update(job.key, first, version, ports.clock.now());
  return { claim: { ledger: taken, write } };
}

function nowOf({ clock }: Pick<MailPorts, 'clock'>): string {
  return new Date(clock.now()).toISOString();
}

/** Who got or should have got the mail, and is no recipient any more. */
export function formerRecipients(ledger: Ledger, recipients: readonly string[]): string[] {
  return presentEntries(ledger).flatMap(({ to }) => (recipients.includes(to) ? [] : [to]));
}

/**
 * The recipients who lack a mail, without those who complained and addresses to which mail is stopped.
 * @param key of the ledger of the mail
 * @param recipients hashes of the present ones
 */
export async function lackingRecipients(
  { suppressionList }: Pick<MailPorts, 'suppressionList'>,
  key: string,
  counts: Ledger,
  recipients: readonly string[],
): Promise<ChosenRecipients> {
  const found = lackingMail(counts, recipients);
  const to: string[] = [];
  for (const one of found.lacking) {
    if ((await suppressionList.reason(one, key)) === undefined) to.push(one);
  }
  return { to, former: formerRecipients(counts, recipients), ifNone: reasonOfNone(found) };
}

function reasonOfNone({ lacking, having, complained, perhaps }: Lacking): string {
  const counted = [
    [having, 'have the mail'],
    [lacking.length, 'stopped'],
    [complained, 'complained'],
    [perhaps, 'may have the mail'],
  ] as const;
  const parts = counted.filter(([count]) => count > 0).map(([count, what]) => `${what}: ${count}`);
  return parts.length === 0
    ? 'the mail was not to be sent to anybody'
    : `nobody is left to send it to (${parts.join(', ')})`;
}
