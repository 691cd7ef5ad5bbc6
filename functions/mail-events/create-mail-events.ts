import type { Context } from 'aws-lambda';
import { suppressionReason } from '#domain/ledger/ledger-events.ts';
import type { MailEvent } from '#domain/ledger/ledger-events.ts';
import type { Dependencies } from './dependencies.ts';
import { DOUBT_METRICS, doubtOf } from './doubt.ts';
import type { Doubt } from './doubt.ts';
import { readSesEvent } from './ses-event.ts';
import type { SesEvent } from './ses-event.ts';
import { changeBy, settleLedger } from './settle-ledger.ts';
import { suppressAddress } from './suppress-address.ts';
import { notifyOfDoubt } from './notify-of-doubt.ts';

/** Handles one event of SES. */
export type MailEvents = (event: unknown, context?: Context) => Promise<void>;

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
export function createMailEvents(dependencies: Dependencies): MailEvents {
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
  telemetry.about({
    kind,
    ...(merchantCode !== undefined && { merchantCode }),
    ...(group !== undefined && { group }),
    ...(day !== undefined && { day }),
    ...(period !== undefined && { period }),
  });
  const standing = key === undefined ? undefined : await ledgers.read(key);
  const doubt = doubtOf(read, sender, standing?.ledger);
  if (doubt !== undefined || key === undefined) {
    await passOver(dependencies, read, doubt ?? 'kind without ledger');
    return;
  }
  const change = changeBy(event, standing);

  // This comes before the ledger is written. If the run dies in between, the retried event still counts as
  // new. An event that comes twice does not, so it does not bring back a suppression that a person removed.
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

/** Counts and logs an event that is not believed, and notifies ops of it. */
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
