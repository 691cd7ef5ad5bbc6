import { QUEUE_NAMES } from '#lib/functions.ts';
import type { QueueName } from '#lib/functions.ts';
import type { LocalMerchant } from './merchants.ts';

/** The group of the demonstration: every merchant, as an operator has it. */
export const EVERYBODY = {
  name: 'everybody',
  merchants: 'all',
  recipients: ['ops@example.com'],
  timeZone: 'Asia/Kuwait',
  daily: true,
} as const;

export const BUCKET = 'daybook';
export const SECRET = 'daybook/credentials';
export const REGISTRY_KEY = 'config/merchants.json';
export const REGION = 'us-east-1';
export const ACCOUNT = '000000000000';

export const LOCAL_STAGE = 'local';

/** The name of a queue of the local stage, as in AWS. */
export function queueNameOf(name: QueueName): string {
  return `daybook-${LOCAL_STAGE}-${name}`;
}

export const QUEUE_VARIABLES = Object.fromEntries(
  QUEUE_NAMES.map((name) => [
    `QUEUES_${name.toUpperCase()}`,
    `https://sqs.${REGION}.amazonaws.com/${ACCOUNT}/${queueNameOf(name)}`,
  ]),
);

function credentials({ account }: LocalMerchant) {
  const { accessCode, cipher, username, password } = account;
  return { accessCode, cipher, username, password };
}

/** A merchant's entry of the secret, as `daybook merchant add` reads it from stdin. */
export function credentialsText(merchant: LocalMerchant): string {
  return `${JSON.stringify(credentials(merchant), null, 2)}\n`;
}

/** The value of the secret (docs/interfaces.md, 3 Secret). */
export function secretText(merchants: readonly LocalMerchant[]): string {
  const entries = merchants.map(
    (merchant) => [merchant.account.merchantCode, credentials(merchant)] as const,
  );
  return JSON.stringify({ merchants: Object.fromEntries(entries) });
}

/** The registry (docs/registry.md). @param origin of the payment service */
export function registryText(merchants: readonly LocalMerchant[], origin: string): string {
  const registry = {
    service: { baseUrl: origin },
    defaults: {
      currency: 'KWD',
      refunds: { statuses: { '0': 'pending', '1': 'approved', '2': 'rejected' } },
      invoiceStatuses: { '0': 'not_paid', '1': 'paid', '3': 'cancelled' },
    },
    merchants: merchants.map(({ account, language, timeZone, recipient, attachCsv, attachXlsx, alerts }) => ({
      merchantCode: account.merchantCode,
      name: account.name,
      language,
      timeZone,
      recipients: [recipient],
      attachCsv,
      attachXlsx,
      ...(alerts.length > 0 && { alerts }),
    })),
    groups: [EVERYBODY],
  };
  return `${JSON.stringify(registry, null, 2)}\n`;
}

/** The environment of the functions (docs/interfaces.md, 2 Environment of the functions), without the SDK's variables. */
export function functionEnvironment(origin: string): Record<string, string> {
  return {
    DATA_BUCKET: BUCKET,
    CREDENTIALS_SECRET: SECRET,
    SERVICE_ORIGINS: origin,
    MAIL_FROM: 'Daybook <daybook@example.com>',
    OPS_RECIPIENTS: 'ops@example.com',
    OPS_TOPIC_ARN: `arn:aws:sns:${REGION}:${ACCOUNT}:daybook-ops`,
    SES_CONFIGURATION_SET: 'daybook',
    REGISTRY_KEY,
    ...QUEUE_VARIABLES,
  };
}
