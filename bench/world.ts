import { credentialsOf, sandboxMerchant } from '#sandbox/payments/index.ts';
import { BUCKET, MAX_CONCURRENCY } from './days.ts';

const SECRET_PREFIX = 'daybook/fleet/';
/** A secret can have 64 KiB; an entry has about 300 bytes. */
const MERCHANTS_A_SECRET = 200;

export function recipientOf(merchantCode: string): string {
  return `owner-${merchantCode}@example.com`;
}

export function merchantCodeOf(index: number): string {
  return String(700_001 + index);
}

function secretOf(index: number): string {
  return `${SECRET_PREFIX}${Math.floor(index / MERCHANTS_A_SECRET)}`;
}

/** The secrets of this number of merchants, by name, as text. */
export function secretsOf(merchants: number): Map<string, string> {
  const indices = Array.from({ length: merchants }, (_, index) => index);
  const groups = Map.groupBy(indices, secretOf);
  return new Map(
    [...groups].map(([name, members]) => {
      const entries = members.map((index) => {
        const merchant = sandboxMerchant(index);
        return [merchant.merchantCode, credentialsOf(merchant)] as const;
      });
      return [name, JSON.stringify({ merchants: Object.fromEntries(entries) })];
    }),
  );
}

export function registryOf(merchants: number, origin: string): string {
  return JSON.stringify({
    service: { baseUrl: origin },
    defaults: {
      timeZone: 'Asia/Kuwait',
      reportAt: '06:00',
      currency: 'KWD',
      maxConcurrency: MAX_CONCURRENCY,
      invoiceStatuses: { 0: 'not_paid', 1: 'paid', 3: 'cancelled' },
      refunds: { source: 'list', statuses: { 0: 'pending', 1: 'approved', 2: 'rejected' } },
    },
    merchants: Array.from({ length: merchants }, (_, index) => {
      const { merchantCode, name } = sandboxMerchant(index);
      return { merchantCode, name, recipients: [recipientOf(merchantCode)], secretId: secretOf(index) };
    }),
  });
}

export function functionEnvironment(aws: Record<string, string>, origin: string, directory: string) {
  return {
    ...aws,
    TMPDIR: directory,
    DATA_BUCKET: BUCKET,
    CREDENTIALS_SECRET: `${SECRET_PREFIX}0`,
    CREDENTIALS_PREFIX: SECRET_PREFIX,
    SERVICE_ORIGINS: origin,
    MAIL_FROM: 'Daybook <daybook@example.com>',
    OPS_RECIPIENTS: 'ops@example.com',
    SES_CONFIGURATION_SET: 'daybook',
  };
}
