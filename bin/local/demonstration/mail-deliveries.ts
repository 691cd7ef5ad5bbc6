import { randomUUID } from 'node:crypto';
import { alertLedgerKey, ledgerKey, pageLedgerKey } from '#records/storage/keys.ts';
import { ledgerSchema } from '#records/ledger/ledger.ts';
import type { SentMail } from '#sandbox/aws/index.ts';
import { ACCOUNT, BUCKET, REGION } from '../configuration.ts';
import { counted } from '../../daybook/terminal/words.ts';
import type { Stage } from '../services.ts';

/** SES's event for a delivered mail, as EventBridge passes it on, without the headers of the message. */
function deliveryEvent(mail: SentMail, configurationSet: string): unknown {
  const now = new Date();
  const tags = Object.entries(mail.tags).map(([name, value]) => [name, [value]] as const);
  return {
    version: '0',
    id: randomUUID(),
    'detail-type': 'Email Delivered',
    source: 'aws.ses',
    account: ACCOUNT,
    time: `${now.toISOString().slice(0, 19)}Z`,
    region: REGION,
    resources: [`arn:aws:ses:${REGION}:${ACCOUNT}:configuration-set/${configurationSet}`],
    detail: {
      eventType: 'Delivery',
      mail: {
        timestamp: mail.at.toISOString(),
        source: mail.source,
        sendingAccountId: ACCOUNT,
        messageId: mail.messageId,
        destination: mail.destinations,
        headersTruncated: true,
        headers: [],
        tags: { 'ses:configuration-set': [configurationSet], ...Object.fromEntries(tags) },
      },
      delivery: {
        timestamp: now.toISOString(),
        processingTimeMillis: now.getTime() - mail.at.getTime(),
        recipients: mail.destinations,
        smtpResponse: '250 2.0.0 Ok',
        reportingMTA: 'a8-1.smtp-out.amazonses.com',
      },
    },
  };
}

/** The key of a mail's ledger; `undefined` for a notice to ops, which has none. */
function ledgerKeyOf({ tags }: SentMail): string | undefined {
  const { kind, merchant = '', group, day = '', period, revision, check = '' } = tags;
  if (kind === 'alert') return alertLedgerKey(merchant, check);
  if (period !== undefined) {
    const owner = group === undefined ? { merchantCode: merchant } : { group };
    return pageLedgerKey({ owner, period, revision: Number(revision) });
  }
  return revision === undefined ? undefined : ledgerKey(day, merchant, Number(revision));
}

/** The state of the mail in its ledger, such as `delivered`. */
async function ledgerStatus({ sandboxes }: Stage, key: string): Promise<string> {
  const text = await sandboxes.aws.s3.read(BUCKET, key);
  return text === undefined ? 'no ledger' : ledgerSchema.parse(JSON.parse(text.toString('utf8'))).status;
}

/**
 * Calls `mail-events` with an event "delivered" for each mail that SES accepted in this run.
 *
 * @throws {FunctionFailure} when `mail-events` fails
 */
export async function passOnDeliveries(stage: Stage): Promise<void> {
  const { terminal, sandboxes, functions } = stage;
  const { messages } = sandboxes.aws.mail;
  await Promise.all(
    messages.map(async (mail) => {
      const { configurationSetName } = mail;
      // SES sends no event for a mail without a configuration set.
      if (configurationSetName === undefined) return;
      await functions.invoke('mail-events', deliveryEvent(mail, configurationSetName));
    }),
  );
  if (messages.length === 0) return;
  const keys = messages.flatMap((mail) => ledgerKeyOf(mail) ?? []);
  const statuses = await Promise.all(keys.map((key) => ledgerStatus(stage, key)));
  const settled = statuses.filter((status) => status === 'delivered').length;
  const ledgers = `${settled} of ${counted(keys.length, 'ledger')} say so`;
  const without = keys.length < messages.length ? ' (notices to ops have none)' : '';
  terminal.step('ses', `${counted(messages.length, 'mail')} delivered; ${ledgers}${without}`);
}
