import type { Context } from 'aws-lambda';
import { stopReason } from '../shared/core/ledger-events.ts';
import type { MailEvent } from '../shared/core/ledger-events.ts';
import type { Dependencies } from './dependencies.ts';
import { readSesEvent } from './ses-event.ts';
import type { SesEvent } from './ses-event.ts';
import { changeBy, settleLedger } from './settle-ledger.ts';
import type { LedgerOutcome } from './settle-ledger.ts';
import { stopMail } from './stop-mail.ts';

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

/** The function over its dependencies: one event into its ledger, and an address stopped where it must be. */
export function createMailEvents(dependencies: Dependencies): MailEvents {
  const { telemetry } = dependencies;
  return (rawEvent, context) =>
    telemetry.during(context, async () => {
      const read = readSesEvent(rawEvent);
      if ('ignored' in read) {
        telemetry.logger.info(`the event ${read.ignored}`, { details: { type: read.type } });
        return;
      }
      await takeIn(dependencies, read);
    });
}

async function takeIn(dependencies: Dependencies, { type, mail, event }: SesEvent): Promise<void> {
  const { ledgers, telemetry } = dependencies;
  const { kind, merchantCode, day, ledgerKey: key } = mail;
  telemetry.about({
    kind,
    ...(merchantCode !== undefined && { merchantCode }),
    ...(day !== undefined && { day }),
  });
  const standing = key === undefined ? undefined : await ledgers.read(key);
  const change = changeBy(event, standing);

  // Before the ledger: an event that dies between the two is news again when it comes back, and one that comes twice
  // is not, so that it does not bring back a stop that a person has lifted since.
  const reason = change?.outcome === 'known' ? undefined : stopReason(event);
  const stopped = reason !== undefined && (await stopMail(dependencies, mail, event, reason));
  const outcome: LedgerOutcome =
    key === undefined ? 'absent' : await settleLedger(dependencies, key, event, standing);

  const { is, messageId, recipient, at, detail } = event;
  if (outcome === 'changed' || is === 'delayed') telemetry.count(METRICS[is], 1);
  if (stopped) telemetry.count('AddressesStopped', 1);
  const details = { type, is, detail, at, messageId, recipient, ledgerKey: key ?? null, outcome, stopped };
  const isLost = key !== undefined && (outcome === 'absent' || outcome === 'unmatched');
  if (isLost) telemetry.logger.warn('no ledger has this mail', { details });
  else telemetry.logger.info('mail event', { details });
}
