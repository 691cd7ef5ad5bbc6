import { inspect } from 'node:util';
import { sandboxMerchant } from '#sandbox/payments/index.ts';
import { defined } from '#support/assertions/index.ts';
import { BUCKET, CODE, DAY, type DaybookWorld } from '../world/daybook-world.ts';
import { seal } from '../payments/running-service.ts';
import { captureOutput } from '../runtime/captured-output.ts';

export const RECIPIENT = 'canary-recipient@merchants.example';
export const OPS = 'canary-ops@example.com';

/** A customer's fields and a payment link's secrets, none of which may show outside the data files. */
export const CUSTOMER = {
  token: 'canary-token-77f0',
  access_key: 'canary-access-key-77f1',
  description: 'Canary description 77f2',
  url: 'https://pay.example.com/canary-link-77f3',
  customer: { name: 'Canary Customer', email: 'canary-customer@example.org', phone_number: '+96500770077' },
};
const REFUND = { token: 'canary-refund-token-77f4', remarks: 'Canary remark 77f5' };

const { accessCode, username, password, cipher } = sandboxMerchant(0);
const SECRETS = [accessCode, username, password, cipher.key, cipher.iv];
const PERSONAL = [
  ...[CUSTOMER.token, CUSTOMER.access_key, CUSTOMER.description, CUSTOMER.url, 'canary-link-77f3'],
  ...Object.values(CUSTOMER.customer),
  ...Object.values(REFUND),
];
/** What a report says of an unpaid invoice: who was to pay it, and where. Other mails, and subjects, do not. */
const SAID_OF_UNPAID = [CUSTOMER.url, 'canary-link-77f3', CUSTOMER.customer.name];

/** Objects that hold customers' fields, or addresses, because they are meant to. */
const MAY_HOLD = /^(invoices|refunds)\/|^config\//;

/** All texts that must not show, and all places where they could. */
export class Canaries {
  readonly #world: DaybookWorld;
  readonly #output = captureOutput();
  readonly #console = (['log', 'info', 'warn', 'error', 'debug', 'trace'] as const).map((method) =>
    vi.spyOn(console, method).mockImplementation(() => undefined),
  );
  readonly #tokens: string[] = [];

  /** Puts the canaries into the world; call it in a test or a `beforeEach`. */
  constructor(world: DaybookWorld) {
    this.#world = world;
    world.payments.data.seedDay(CODE, DAY, { invoices: 8, refunds: 2 });
    world.payments.data.insertInvoice(CODE, DAY, CUSTOMER);
    world.payments.data.insertRefund(CODE, DAY, REFUND);
    const body = (original: string) => {
      const found = [...original.matchAll(/"(?:access|refresh)_token":"([^"]+)"/g)];
      this.#tokens.push(...found.map((match) => defined(match[1])));
      return original;
    };
    world.serviceDoes({ kind: 'replace', body }, { operation: ['login', 'refresh'], times: Infinity });
  }

  lines(): Record<string, unknown>[] {
    return this.#output.lines();
  }

  /** Everything that was written to the standard streams, line by line. */
  rawLines(): string[] {
    return this.#output.text().split('\n').slice(0, -1);
  }

  tokens(): readonly string[] {
    return this.#tokens;
  }

  /** No canary shows in anything that was written, sent, stored or thrown. */
  async expectHidden(error?: unknown): Promise<void> {
    const payload = seal(JSON.stringify({ merchantCode: CODE }), cipher);
    const everywhere = [...SECRETS, ...PERSONAL, ...this.#tokens, payload];
    const places = { ...(await this.#texts()), error: inspect(error, { depth: 10 }) };
    for (const [place, text] of Object.entries(places)) {
      for (const canary of [...everywhere, RECIPIENT, OPS]) expect(text, place).not.toContain(canary);
    }
    // The addresses that a mail is for are in its headers.
    for (const { kind = '', subject, text, html } of await this.#world.readMails()) {
      const isReport = ['report', 'correction', 'preview'].includes(kind);
      for (const canary of everywhere) {
        expect(subject, 'a subject').not.toContain(canary);
        if (isReport && SAID_OF_UNPAID.includes(canary)) continue;
        expect(`${text}\n${html}`, 'a mail').not.toContain(canary);
      }
    }
    expect(this.#console.flatMap((spy) => spy.mock.calls)).toEqual([]);
  }

  async #texts(): Promise<Record<string, string>> {
    const { aws } = this.#world;
    const keys = this.#world.keys();
    const stored = keys
      .filter((key) => !MAY_HOLD.test(key))
      .map(async (key) => [key, defined(await aws.s3.read(BUCKET, key)).toString('utf8')] as const);
    return {
      ...Object.fromEntries(await Promise.all(stored)),
      'standard streams': this.#output.text(),
      'object keys': keys.join('\n'),
      'tags of mails': JSON.stringify(aws.mail.messages.map(({ tags }) => tags)),
      notices: JSON.stringify(aws.notices),
    };
  }
}
