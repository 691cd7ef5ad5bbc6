import { inspect } from 'node:util';
import { expect, it } from 'vitest';
import type { PaymentsClientOptions } from '#service/client.ts';
import { readInvoicePage } from '#service/invoices/invoice-list.ts';
import { readRefund, refundListPages } from '#service/refunds/day-refunds.ts';
import type { Behaviour, PaymentsFaultAction } from '#sandbox/payments/index.ts';
import { Cipher } from '#service/envelope/cipher.ts';
import { DAY, failureOf, startService, always } from '#support/payments/running-service.ts';
import type { RunningService } from '#support/payments/running-service.ts';
import { entryOf } from '#support/payments/secret-readers.ts';
import { defined } from '#support/assertions/defined.ts';

const CANARY = 'canary-in-the-answer';

/** All of an error that a log or a person could see, with its causes. */
function everythingOf(error: Error): string {
  const chain: string[] = [];
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    chain.push(
      at.message,
      at.stack ?? '',
      JSON.stringify(at),
      JSON.stringify(Object.getOwnPropertyDescriptors(at)),
    );
    chain.push(inspect(at, { depth: 20, showHidden: true, maxStringLength: Infinity }));
  }
  return chain.join('\n');
}

/** The tokens that the service gives from now on. */
function tokensOf({ sandbox }: RunningService): string[] {
  const tokens: string[] = [];
  const body = (text: string) => {
    tokens.push(
      ...[...text.matchAll(/"(?:access|refresh)_token":"([^"]+)"/g)].map(([, token]) => token ?? ''),
    );
    return text;
  };
  always(sandbox, ['login', 'refresh'], { kind: 'replace', body });
  return tokens;
}

interface Failing {
  behaviour?: Partial<Behaviour>;
  action?: PaymentsFaultAction;
  client?: Partial<PaymentsClientOptions>;
  arrange?: (service: RunningService) => void;
  read?: (service: RunningService) => Promise<unknown>;
}

const canaryBody = (body: unknown, status = 200): PaymentsFaultAction => ({
  kind: 'status',
  status,
  body: JSON.stringify(body),
});

const FAILURES: [string, string, Failing][] = [
  ['a refused login', 'LoginRefusedError', { behaviour: { loginRefused: true } }],
  ['a refused token', 'ForbiddenError', { behaviour: { accessRefused: true } }],
  [
    'a wrong password',
    'LoginRefusedError',
    {
      arrange: ({ secret, merchant }) => (secret.stored = entryOf(merchant, { password: CANARY })),
    },
  ],
  [
    'a wrong key',
    'InvalidRequestError',
    {
      arrange: ({ secret, merchant }) => {
        const cipher = { ...merchant.cipher, key: `${CANARY}${'k'.repeat(32 - CANARY.length)}` };
        secret.stored = entryOf(merchant, { cipher });
      },
    },
  ],
  ['an answer that does not decrypt', 'CipherError', { action: canaryBody({ response: 'ab'.repeat(48) }) }],
  [
    'a refusal in undocumented words',
    'RefusedError',
    { action: canaryBody({ status: false, message: CANARY, response: null }) },
  ],
  ['a wrong type', 'ContractError', { action: canaryBody({ status: true, response: { stats: CANARY } }) }],
  ['an answer that is not an envelope', 'ContractError', { action: canaryBody([CANARY]) }],
  [
    'an answer that is not JSON',
    'MalformedAnswerError',
    { action: { kind: 'status', status: 200, body: `<p>${CANARY}</p>` } },
  ],
  ['a server error', 'ServerError', { action: canaryBody({ message: CANARY }, 500) }],
  ['a limit on requests', 'RateLimitedError', { action: canaryBody({ message: CANARY }, 429) }],
  ['a refusal by HTTP status', 'RefusedError', { action: canaryBody({ message: CANARY }, 418) }],
  ['a redirect', 'RedirectError', { action: { kind: 'redirect', location: `http://127.0.0.1:9/${CANARY}` } }],
  ['a reset', 'ConnectionError', { action: { kind: 'reset' } }],
  ['half a body', 'ConnectionError', { action: { kind: 'half-body' } }],
  ['a time-out', 'RequestTimeoutError', { action: { kind: 'hang' }, client: { requestTimeout: 60 } }],
  [
    'a drip that is too slow',
    'RequestTimeoutError',
    { action: { kind: 'drip', bytes: 1, everyMilliseconds: 20 }, client: { requestTimeout: 60 } },
  ],
  ['JSON that is cut', 'MalformedAnswerError', { action: { kind: 'cut-json' } }],
  ['a huge body', 'AnswerTooLargeError', { action: { kind: 'large', megabytes: 9 } }],
  ['the deadline', 'DeadlineError', { client: { deadline: 0 } }],
  ['another page', 'ContractError', { behaviour: { wrongPage: 1 } }],
  [
    'a missing refund list',
    'RefundListMissingError',
    {
      behaviour: { hasRefundList: false },
      read: ({ client }) => Array.fromAsync(refundListPages(client, DAY)),
    },
  ],
  [
    'another refund',
    'ContractError',
    {
      read: ({ client, sandbox, merchant }) => {
        const id = defined(sandbox.data.truth(merchant.merchantCode, DAY).refunds.ids[0]);
        sandbox.data.updateRefund(merchant.merchantCode, id, { rawJson: { id: '7' } });
        return readRefund(client, String(id));
      },
    },
  ],
  ['closing', 'AbortError', { arrange: ({ client }) => client.close() }],
];

it.each(FAILURES)('an error of %s (%s) contains no secret', async (_what, name, failing) => {
  const service = await startService({
    ...(failing.behaviour !== undefined && { behaviour: failing.behaviour }),
    client: { retry: { firstDelay: 10, longestDelay: 10, budget: 30 }, ...failing.client },
  });
  const { sandbox, merchant, client } = service;
  const tokens = tokensOf(service);
  if (failing.action !== undefined) {
    always(sandbox, 'invoices', failing.action);
  }
  failing.arrange?.(service);
  const error = await failureOf(failing.read?.(service) ?? readInvoicePage(client, DAY, '1', 1));
  expect(error.name).toBe(name);

  const shown = everythingOf(error);
  const { accessCode, username, password, cipher, merchantCode } = merchant;
  const data = new Cipher(cipher).encrypt(JSON.stringify({ merchantCode }));
  const secrets = [accessCode, username, password, cipher.key, cipher.iv, data, CANARY, ...tokens];
  for (const secret of secrets) expect(shown).not.toContain(secret);
  expect(shown).not.toMatch(/[?&](?:data|fromDate|page)=|Bearer/);
  if (sandbox.requests.some(({ operation, status }) => operation === 'login' && status === 200)) {
    expect(tokens.length).toBeGreaterThan(0);
  }
});
