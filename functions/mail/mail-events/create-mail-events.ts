import type { Handler } from '#runtime/lambda-handler.ts';
import { suppressionReason, ledgerAfter } from '#records/ledger/ledger-events.ts';
import type { MailEvent, LedgerChange } from '#records/ledger/ledger-events.ts';
import { DOUBT_METRICS, doubtOf, notifyOfDoubt } from './doubt.ts';
import type { Doubt } from './doubt.ts';
import { readSesEvent } from './ses-event.ts';
import type { SesEvent } from './ses-event.ts';
import { DaybookError, OpsNotToldError } from '#records/errors/daybook-error.ts';
import type { Environment } from '#registry/environment.ts';
import { bareAddress } from '#registry/mail-address.ts';
import { buildFunctionDependencies } from '../function-dependencies.ts';
import { LedgerStore } from '../ledger-store.ts';
import type { VersionedLedger } from '../ledger-store.ts';
import { addressHash, suppressionKey } from '#records/storage/keys.ts';
import { SuppressionList } from '../suppression-list.ts';
import { namedInHead, ownerInWords, timeInWords } from './mail-tags.ts';
import type { TaggedMail } from './mail-tags.ts';

/** Called once per cold start. `sender`: hash of the address that Daybook sends from. */
export function buildDependencies(environment: Environment) {
  const { s3, ...shared } = buildFunctionDependencies(environment, 'mail-events');
  const { bucket } = environment.data;
  return {
    ...shared,
    ledgers: new LedgerStore(s3, bucket),
    suppressionList: new SuppressionList(s3, bucket),
    sender: addressHash(bareAddress(environment.mail.from)),
  };
}

type Dependencies = ReturnType<typeof buildDependencies>;

/**
 * Suppresses, and notifies ops once. A known event does not bring back what a person removed. Returns whether new.
 * @throws {OpsNotToldError} when it was written and ops could not be notified; the event is to be retried
 */
async function suppressAddress(
  { suppressionList, opsNotices }: Dependencies,
  mail: TaggedMail,
  { messageId, at }: MailEvent,
  reason: string,
): Promise<boolean> {
  const { recipient, kind } = mail;
  const about = `mail stopped: ${recipient}, message ${messageId}, ${reason}`;
  if (await opsNotices.wasNotified(about)) return false;
  if (!(await suppressionList.suppress(recipient, { reason, at, messageId }))) return false;
  const owner = ownerInWords(mail);
  const whose = owner === undefined ? '' : ` of ${owner}`;
  const key = suppressionKey(recipient);
  const notified = await opsNotices.notifyOnce({
    about,
    ...namedInHead(mail),
    happened: 'mail to an address is stopped',
    meaning: [
      `Mail to one address${whose} is stopped: ${reason}. Its owner gets no mail of Daybook any more.`,
      `Address (SHA-256 of it in lower case): ${recipient}`,
      `Mail: ${kind}${timeInWords(mail)}, message ${messageId}, ${at}`,
    ],
    tried: ['Mails to it are skipped from now on, and their ledgers say so.'],
    toDo: [
      'The first command shows the address, if the registry still has it.',
      'If the address is dead, remove it from the registry, and ask the merchant for a new one.',
      'Once the address works again, remove its stop with the command suppression remove. It also takes it from the suppression list of SES.',
    ],
    headings: ['mailsBounce', 'addressStopped'],
    commands: [
      { shows: 'All stopped addresses, with the reasons', does: 'daybook', words: ['suppression', 'list'] },
      ...(mail.ledgerKey === undefined
        ? []
        : [{ shows: 'The ledger of the mail', does: 'show object', key: mail.ledgerKey } as const]),
    ],
  });
  if (!notified) throw new OpsNotToldError(`ops could not be notified of the suppression ${key}`);
  return true;
}

class LedgerContestedError extends DaybookError {
  override readonly name = 'LedgerContestedError';
}

const MOST_ATTEMPTS = 10;
const LONGEST_PAUSE = 200;

function changeBy(event: MailEvent, standing: VersionedLedger | undefined): LedgerChange | undefined {
  return standing === undefined ? undefined : ledgerAfter(standing.ledger, event);
}

/**
 * Writes an event into its ledger, decided again from the new content when somebody else changed it.
 * @throws {LedgerContestedError} when others changed the ledger at every attempt
 */
export async function settleLedger(
  { ledgers, clock }: Pick<Dependencies, 'ledgers' | 'clock'>,
  key: string,
  event: MailEvent,
  standing: VersionedLedger | undefined,
): Promise<LedgerChange['outcome'] | 'absent'> {
  let known = standing;
  for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) {
    const change = changeBy(event, known);
    if (change === undefined || known === undefined) return 'absent';
    if (change.outcome !== 'changed') return change.outcome;
    const written = await ledgers.update(key, change.ledger, known.version, clock.now());
    if (written !== undefined) return 'changed';
    await clock.sleep(Math.random() * LONGEST_PAUSE);
    known = await ledgers.read(key);
  }
  throw new LedgerContestedError(`${key}: others changed it at each of ${MOST_ATTEMPTS} attempts`);
}

const METRICS: Record<MailEvent['is'], string> = {
  sent: 'MailsSettled',
  delayed: 'MailsDelayed',
  delivered: 'MailsDelivered',
  'soft bounce': 'MailsBounced',
  'hard bounce': 'MailsBounced',
  rejected: 'MailsRejected',
  complaint: 'MailsComplained',
};

/** Builds `mail-events`: it writes one event into its ledger, and suppresses an address when it must. */
export function createMailEvents(dependencies: Dependencies): Handler<void> {
  const { telemetry } = dependencies;
  return (rawEvent, context) =>
    telemetry.during(context, async () => {
      const read = readSesEvent(rawEvent, dependencies.sender);
      if ('ignored' in read) {
        telemetry.logger.info(`the event ${read.ignored}`, { type: read.type });
        return;
      }
      await takeIn(dependencies, read);
    });
}

async function takeIn(dependencies: Dependencies, read: SesEvent): Promise<void> {
  const { ledgers, telemetry, sender } = dependencies;
  const { type, mail, event } = read;
  const { kind, merchantCode, group, day, period, ledgerKey: key } = mail;
  telemetry.about({ kind, merchantCode, group, day, period });
  const standing = key === undefined ? undefined : await ledgers.read(key);
  const doubt = doubtOf(read, sender, standing?.ledger);
  if (doubt !== undefined || key === undefined) {
    await passOver(dependencies, read, doubt ?? 'kind without ledger');
    return;
  }
  const change = changeBy(event, standing);

  // Before the ledger is written: if the run dies in between, the retried event is still new. One that comes
  // twice is not, and does not bring back a suppression that a person removed.
  const reason = change?.outcome === 'known' ? undefined : suppressionReason(event);
  const stopped = reason !== undefined && (await suppressAddress(dependencies, mail, event, reason));
  const outcome = await settleLedger(dependencies, key, event, standing);

  const { is, messageId, recipient, at, detail } = event;
  if (outcome === 'changed' || is === 'delayed') telemetry.count(METRICS[is], 1);
  if (stopped) telemetry.count('AddressesStopped', 1);
  const fields = { type, is, detail, at, messageId, recipient, ledgerKey: key, outcome, stopped };
  telemetry.logger.info('mail event', fields);
  // Somebody removed the ledger or the entry since it was read.
  if (outcome === 'absent') await passOver(dependencies, read, 'no ledger');
  if (outcome === 'unmatched') await passOver(dependencies, read, 'no such message');
}

async function passOver(dependencies: Dependencies, read: SesEvent, doubt: Doubt): Promise<void> {
  const { telemetry } = dependencies;
  const { type, mail, event } = read;
  const { is, messageId, recipient } = event;
  // A notice or a preview has no ledger. Its delivery is not worth a notice.
  if (doubt === 'kind without ledger' && suppressionReason(event) === undefined && is !== 'rejected') {
    telemetry.logger.info('mail event', { type, is, messageId, recipient, ledgerKey: null });
    return;
  }
  telemetry.count(DOUBT_METRICS[doubt], 1);
  const fields = { type, is, messageId, recipient, ledgerKey: mail.ledgerKey ?? null, doubt };
  telemetry.logger.warn('the event is not believed', fields);
  await notifyOfDoubt(dependencies, read, doubt);
}
