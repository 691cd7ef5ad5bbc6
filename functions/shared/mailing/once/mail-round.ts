import { withOutcome } from '#domain/ledger/ledger-events.ts';
import {
  finishedRecipients,
  withEntry,
  withFormerRecipientsSkipped,
  withUnsettledHeld,
} from '#domain/ledger/ledger-progress.ts';
import { audienceOf } from '#domain/ledger/ledger-rounds.ts';
import { settledStatus } from '#domain/ledger/ledger-standing.ts';
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
  ledgers: LedgerStore;
  suppressionList: SuppressionList;
  mailSender: MailSender;
  clock: Clock;
}

/** A mail that is ready for any number of recipients: gives the raw MIME for an address. */
export type ComposedMail = (to: string) => Promise<Uint8Array>;

/** The current round of a ledger. It belongs to this run. */
export interface MailRound {
  /** The ledger's key. */
  key: string;
  /** The tags of the mails, besides the kind and the recipient. SES sends them back in its events. */
  tags: Omit<MailTags, 'kind' | 'recipient'>;
  /** The ledger as this run last wrote it. */
  held: VersionedLedger;
  /** All recipients. Each gets an own mail. An address that appears twice counts once. */
  recipients: readonly string[];
  composed: ComposedMail;
  /** When the function ends, milliseconds UTC. */
  deadline: number;
}

/** Another run has taken over the ledger, because this run was silent for longer than its lease. */
class LedgerLostError extends MailUnfinishedError {}

/**
 * Writes to every recipient of the round that is not finished (of a partial round: to those that the ledger
 * names), and settles the ledger. Before the call, the
 * ledger has the recipient as `intended`. After the call, its result is written before the next call begins.
 * So whenever this run dies, no later run can send a mail twice.
 *
 * @returns the settled ledger
 * @throws {MailUnfinishedError} when time runs out, or another run took over
 */
export async function runMailRound(ports: MailRoundPorts, round: MailRound): Promise<Ledger> {
  const { clock } = ports;
  let { held } = round;
  const write = async (change: (ledger: Ledger) => Ledger): Promise<void> => {
    held = await update(ports, round.key, held, change);
  };
  const record = (
    entry: Pick<LedgerEntry, 'to' | 'status'> & Partial<LedgerEntry>,
    put: typeof withEntry = withEntry,
  ) =>
    write((ledger) => {
      const now = clock.now();
      const at = new Date(now).toISOString();
      return {
        ...put(ledger, { messageId: null, reason: null, at, ...entry }),
        until: new Date(now + LEASE).toISOString(),
      };
    });

  const recipients = addressesOnce(round.recipients);
  const audience = audienceOf(held.ledger) ?? recipients;
  for (const [to, { address }] of recipients) {
    if (!audience.has(to)) continue;
    if (finishedRecipients(held.ledger).has(to)) continue;
    assertTimeIsLeft(ports, round);
    const suppressed = await ports.suppressionList.reason(to);
    if (suppressed !== undefined) {
      const ownWords = suppressed.slice(0, LONGEST_OWN_WORDS).toWellFormed();
      await record({ to, status: 'skipped', reason: `mail to this address is stopped: ${ownWords}` });
      continue;
    }
    const raw = await round.composed(address);
    assertTimeIsLeft(ports, round);
    await record({ to, status: 'intended' });
    const until = Math.min(Date.parse(held.ledger.until), round.deadline);
    const mail = { to: address, raw, tags: { ...round.tags, kind: held.ledger.kind, recipient: to } };
    const outcome = await sendWithBackoff(ports.mailSender, clock, mail, SEND_TIMEOUT, until);
    await record({ to, ...entryOf(outcome) }, withOutcome);
  }
  await write((ledger) => {
    const at = new Date(clock.now()).toISOString();
    const settled = withUnsettledHeld(withFormerRecipientsSkipped(ledger, recipients, at), at);
    return { ...settled, status: settledStatus(settled) };
  });
  return held.ledger;
}

/**
 * @throws {MailUnfinishedError} when a call could not end in time; the next run continues with the other
 * recipients
 */
function assertTimeIsLeft({ clock }: MailRoundPorts, { key, deadline }: MailRound): void {
  if (clock.now() + SEND_TIMEOUT < deadline) return;
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
