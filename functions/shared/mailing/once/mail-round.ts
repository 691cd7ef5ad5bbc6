import { withOutcome } from '#domain/ledger/ledger-events.ts';
import {
  finishedRecipients,
  withEntry,
  withFormerRecipientsSkipped,
  withUnsettledHeld,
} from '#domain/ledger/ledger-progress.ts';
import { audienceOf } from '#domain/ledger/ledger-rounds.ts';
import { settledStatus } from '#domain/ledger/ledger-outcome.ts';
import type { Ledger, LedgerEntry } from '#domain/ledger/ledger.ts';
import { addressesOnce } from '#domain/mail/mail-address.ts';
import { LONGEST_OWN_WORDS } from '#domain/storage/object-bounds.ts';
import type { Clock } from '#runtime/clock.ts';
import type { LedgerStore, VersionedLedger } from '../ledger-store.ts';
import type { MailSender, SendOutcome } from '../mail-sender.ts';
import type { SuppressionList } from '../suppression-list.ts';
import type { MailTags } from '#domain/mail/mail-tags.ts';
import { MailUnfinishedError } from './mail-errors.ts';
import { sendWithBackoff } from './send-with-backoff.ts';

/** How long one call to the mail service may take. Milliseconds. */
const SEND_TIMEOUT = 20_000;

/**
 * How long a run may be silent before another run takes over its ledger: a call with its retries, and some
 * more. Milliseconds.
 */
export const LEASE = 60_000;

/** The ports that a round needs. */
export interface MailRoundPorts {
  ledgers: Pick<LedgerStore, keyof LedgerStore>;
  suppressionList: Pick<SuppressionList, 'reason'>;
  mailSender: MailSender;
  clock: Clock;
}

/** A mail that is ready for any number of recipients: gives the raw MIME for an address. */
export type ComposedMail = (to: string) => Promise<Uint8Array>;

/** A round that is not this run's yet. Its first write takes it, so that taking it costs no write of its own. */
export interface ClaimedRound {
  /** The ledger as this run will have it. */
  ledger: Ledger;
  /** Stores the ledger for the first time. `undefined` when another run was faster. */
  write: (ledger: Ledger) => Promise<VersionedLedger | undefined>;
}

/** The current round of a ledger. */
export interface MailRound {
  /** The ledger's key. */
  key: string;
  /** The tags of the mails, besides the kind and the recipient. SES sends them back in its events. */
  tags: Omit<MailTags, 'kind' | 'recipient'>;
  claim: ClaimedRound;
  /** All recipients. Each gets an own mail. An address that appears twice counts once. */
  recipients: readonly string[];
  composed: ComposedMail;
  /** When the function ends, milliseconds UTC. */
  deadline: number;
}

/** Another run has taken over the ledger, because this run was silent for longer than its lease. */
class LedgerLostError extends MailUnfinishedError {}

/** A change of a ledger. It is applied again to a newer version if an event of the mail service came between. */
type LedgerChange = (ledger: Ledger) => Ledger;

/** The ledger of a round as this run writes it. */
class RoundLedger {
  readonly #ports: MailRoundPorts;
  readonly #round: MailRound;
  /** As this run last wrote it, `undefined` before its first write. */
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

  /** Notes a change, which the next write stores. */
  note(change: LedgerChange): void {
    this.#noted.push(change);
  }

  /** Notes an entry for a recipient, and that this run is alive. */
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

  /** Stores what is noted, if anything is. @throws {RoundTakenError} see {@link write} */
  async writeNoted(): Promise<void> {
    if (this.#noted.length > 0) await this.write();
  }

  /** Stores what is noted. @throws {RoundTakenError} when another run was faster than the first write */
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

/** Another run has begun the round. */
class RoundTakenError extends Error {}

/**
 * Writes to every recipient of the round that is not finished (of a partial round: to those that the ledger
 * names), and settles the ledger. Before the call, the ledger has the recipient as `intended`. After the call, its
 * result is written before the next call begins. So whenever this run dies, no later run can send a mail twice.
 *
 * @returns the settled ledger, `undefined` when another run took the round before this one had written anything
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
    const suppressed = await ports.suppressionList.reason(to);
    if (suppressed !== undefined) {
      const ownWords = suppressed.slice(0, LONGEST_OWN_WORDS).toWellFormed();
      own.noteEntry({ to, status: 'skipped', reason: `mail to this address is stopped: ${ownWords}` });
      continue;
    }
    const raw = await round.composed(address);
    await assertTimeIsLeft(ports, round, own);
    own.noteEntry({ to, status: 'intended' });
    await own.write();
    const { until, kind } = own.ledger;
    const latest = Math.min(Date.parse(until), round.deadline);
    const mail = { to: address, raw, tags: { ...round.tags, kind, recipient: to } };
    const outcome = await sendWithBackoff(ports.mailSender, clock, mail, SEND_TIMEOUT, latest);
    own.noteEntry({ to, ...entryOf(outcome) }, withOutcome);
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

/**
 * @throws {MailUnfinishedError} when a call could not end in time; the next run continues with the other
 * recipients
 */
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
      // The entry stays `intended` until the round is settled. An event of the mail service may still decide
      // it.
      return {
        status: 'intended',
        messageId: null,
        reason: `it is not known whether it was sent: ${outcome.reason}`,
      };
  }
}

/** Applies a change to the newest version of the ledger, while it belongs to this run. */
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
