import { withOutcome } from '#records/ledger/ledger-events.ts';
import {
  finishedRecipients,
  presentRound,
  withEntry,
  withFormerRecipientsSkipped,
  withUnsettledHeld,
  audienceOf,
  settledStatus,
} from '#records/ledger/ledger-rounds.ts';
import type { Ledger, LedgerEntry } from '#records/ledger/ledger.ts';
import { addressesOnce } from '#registry/mail-address.ts';
import type { Clock } from '#runtime/clock.ts';
import type { LedgerStore, VersionedLedger } from '../ledger-store.ts';
import type { SuppressionList } from '../suppression-list.ts';
import { MailUnfinishedError } from './mail-answer.ts';
import { sendWithBackoff, type MailSender, type SendOutcome, type MailTags } from '../mail-sender.ts';

/** Milliseconds. */
const SEND_TIMEOUT = 20_000;

/** Milliseconds of silence before another run takes over the ledger: a call with retries, and more. */
export const LEASE = 60_000;

export interface MailRoundPorts {
  ledgers: Pick<LedgerStore, keyof LedgerStore>;
  suppressionList: Pick<SuppressionList, 'reason'>;
  mailSender: MailSender;
  clock: Clock;
}

export type ComposedMail = (to: string) => Promise<Uint8Array>;

/** Its first write takes the round, so that taking it costs no write of its own. */
export interface ClaimedRound {
  ledger: Ledger;
  /** `undefined` when another run was faster. */
  write: (ledger: Ledger) => Promise<VersionedLedger | undefined>;
}

export interface MailRound {
  key: string;
  /** SES sends them back in its events. */
  tags: Omit<MailTags, 'kind' | 'recipient'>;
  claim: ClaimedRound;
  /** Each gets an own mail. An address that appears twice counts once. */
  recipients: readonly string[];
  composed: ComposedMail;
  /** Milliseconds UTC. */
  deadline: number;
}

/** Another run took over: this one was silent for longer than its lease. */
class LedgerLostError extends MailUnfinishedError {}

/** Applied again to a newer version if an event came between. */
type LedgerChange = (ledger: Ledger) => Ledger;

class RoundLedger {
  readonly #ports: MailRoundPorts;
  readonly #round: MailRound;
  /** As last written; `undefined` before its first write. */
  #held: VersionedLedger | undefined;
  readonly #noted: LedgerChange[] = [];

  constructor(ports: MailRoundPorts, round: MailRound) {
    this.#ports = ports;
    this.#round = round;
  }

  /** Without what is noted only. */
  get ledger(): Ledger {
    return this.#held?.ledger ?? this.#round.claim.ledger;
  }

  note(change: LedgerChange): void {
    this.#noted.push(change);
  }

  noteEntry(
    entry: Pick<LedgerEntry, 'to' | 'status'> & Partial<LedgerEntry>,
    put: typeof withEntry = withEntry,
  ): void {
    const now = this.#ports.clock.now();
    const at = new Date(now).toISOString();
    const until = new Date(now + LEASE).toISOString();
    this.note((ledger) => ({
      ...put(ledger, { messageId: null, reason: null, at, ...entry }),
      until,
    }));
  }

  /** @throws {RoundTakenError} see {@link write} */
  async writeNoted(): Promise<void> {
    if (this.#noted.length > 0) await this.write();
  }

  /** @throws {RoundTakenError} when another run was faster than the first write */
  async write(): Promise<void> {
    const noted = this.#noted.splice(0);
    const change: LedgerChange = (ledger) => noted.reduce((changed, next) => next(changed), ledger);
    if (this.#held !== undefined) {
      this.#held = await update(this.#ports, this.#round.key, this.#held, change);
      return;
    }
    const { claim } = this.#round;
    this.#held = await claim.write(change(claim.ledger));
    if (this.#held === undefined) throw new RoundTakenError();
  }
}

class RoundTakenError extends Error {}

/**
 * Writes to every unfinished recipient, and settles the ledger. `intended` is recorded before each call, its
 * result before the next: whenever this run dies, no later one can send twice. `undefined` when another run
 * took the round first.
 * @throws {MailUnfinishedError} when time runs out, or another run took over
 */
export async function runMailRound(ports: MailRoundPorts, round: MailRound): Promise<Ledger | undefined> {
  const own = new RoundLedger(ports, round);
  try {
    await sendToEach(ports, round, own);
    return own.ledger;
  } catch (error) {
    if (error instanceof RoundTakenError) return undefined;
    throw error;
  }
}

async function sendToEach(ports: MailRoundPorts, round: MailRound, own: RoundLedger): Promise<void> {
  const { clock } = ports;
  const recipients = addressesOnce(round.recipients);
  const audience = audienceOf(own.ledger) ?? recipients;
  const finished = finishedRecipients(own.ledger);
  let isOutcomeNoted = false;
  for (const [to, { address }] of recipients) {
    if (!audience.has(to) || finished.has(to)) continue;
    if (isOutcomeNoted) await own.write();
    isOutcomeNoted = false;
    await assertTimeIsLeft(ports, round, own);
    const reason = await ports.suppressionList.reason(to, round.key);
    if (reason !== undefined) {
      own.noteEntry({ to, status: 'skipped', reason });
      continue;
    }
    const raw = await round.composed(address);
    await assertTimeIsLeft(ports, round, own);
    const { tries = 0 } = presentRound(own.ledger).find((entry) => entry.to === to) ?? {};
    own.noteEntry({ to, status: 'intended', ...(tries > 0 && { tries }) });
    await own.write();
    const { until, kind } = own.ledger;
    const latest = Math.min(Date.parse(until), round.deadline);
    const mail = { to: address, raw, tags: { ...round.tags, kind, recipient: to } };
    const outcome = await sendWithBackoff(ports.mailSender, clock, mail, SEND_TIMEOUT, latest);
    const isCounted = tries > 0 || outcome.kind === 'refused';
    own.noteEntry({ to, ...entryOf(outcome), ...(isCounted && { tries: tries + 1 }) }, withOutcome);
    isOutcomeNoted = true;
  }
  // With the last outcome, so that a mail to one recipient is two writes.
  own.note((ledger) => {
    const at = new Date(clock.now()).toISOString();
    const settled = withUnsettledHeld(withFormerRecipientsSkipped(ledger, recipients, at), at);
    return { ...settled, status: settledStatus(settled) };
  });
  await own.write();
}

/** @throws {MailUnfinishedError} when a call could not end in time; the next run continues */
async function assertTimeIsLeft(
  { clock }: MailRoundPorts,
  { key, deadline }: MailRound,
  own: RoundLedger,
): Promise<void> {
  if (clock.now() + SEND_TIMEOUT < deadline) return;
  // Otherwise a run that skips many recipients slowly would begin anew each time.
  await own.writeNoted();
  throw new MailUnfinishedError(`${key}: no time left to write to every recipient`);
}

function entryOf(outcome: SendOutcome): Pick<LedgerEntry, 'status' | 'messageId' | 'reason'> {
  switch (outcome.kind) {
    case 'accepted':
      return { status: 'accepted', messageId: outcome.messageId, reason: null };
    case 'refused':
      return { status: 'failed', messageId: null, reason: outcome.reason };
    case 'unknown':
      // Until the round is settled, when an event may still decide it.
      return {
        status: 'intended',
        messageId: null,
        reason: `it is not known whether it was sent: ${outcome.reason}`,
      };
  }
}

async function update(
  { ledgers, clock }: Pick<MailRoundPorts, 'ledgers' | 'clock'>,
  key: string,
  held: VersionedLedger,
  change: (ledger: Ledger) => Ledger,
): Promise<VersionedLedger> {
  for (let known = held; ;) {
    const written = await ledgers.update(key, change(known.ledger), known.version, clock.now());
    if (written !== undefined) return written;
    // An event of the mail service may have changed the ledger. That is no reason to stop.
    const newer = await ledgers.read(key);
    if (newer?.ledger.writer !== held.ledger.writer) {
      throw new LedgerLostError(`${key}: another run has taken the mail over`);
    }
    known = newer;
  }
}
