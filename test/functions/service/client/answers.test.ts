import { readAmounts } from '#alerts/alert-check/read-invoices.ts';
import type { Behaviour, PaymentsFaultAction } from '#sandbox/payments/index.ts';
import { Cipher } from '#service/envelope/cipher.ts';
import { readDayInvoices } from '#service/invoices/day-invoices.ts';
import { invoicePages, readInvoicePage } from '#service/invoices/invoice-list.ts';
import { readRefund, refundListPages } from '#service/refunds/day-refunds.ts';
import { defined, membersOf } from '#support/assertions/index.ts';
import {
  always,
  DAY,
  failureOf,
  fault,
  idsOf,
  INVOICE_TYPES,
  readInvoices,
  startService,
  type RunningService,
  entryOf,
} from '#support/payments/running-service.ts';
import { inspect } from 'node:util';
import type { PaymentsClientOptions } from '#service/client.ts';

const CANARY = 'canary value';

/** A service whose answers about invoices are changed as text. */
async function serviceWith(body: (text: string) => string, { invoices = 20, times = 1 } = {}) {
  const service = await startService({ size: { invoices, refunds: 1 } });
  fault(service.sandbox, 'invoices', { kind: 'replace', body }, { times });
  return service;
}

const read = async (change: (text: string) => string) => {
  const { client } = await serviceWith(change);
  return readDayInvoices(client, DAY, ['1'], () => undefined);
};

/** Settings of a merchant with invoices of one type and no ignored comparison. */
const SETTINGS = {
  timeZone: 'Asia/Kuwait',
  invoiceTypes: ['1'],
  balance: { ignore: [] },
  redact: [],
  currency: 'KWD',
};

describe('a whole day', () => {
  it.each<[string, Partial<Behaviour>]>([
    ['plain', { invoiceAnswers: 'plain' }],
    ['encrypted, padded to blocks of 32', { invoiceAnswers: 'encrypted', padBlock: 32 }],
    ['encrypted, padded to blocks of 16', { invoiceAnswers: 'encrypted', padBlock: 16 }],
    [
      'with members around it',
      { invoiceAnswers: 'encrypted', extraEnvelopeFields: { code: 200, extra: [1] } },
    ],
  ])('is read from answers that are %s', async (_what, behaviour) => {
    const { sandbox, merchant, client } = await startService({ behaviour });
    const truth = sandbox.data.truth(merchant.merchantCode, DAY);
    expect(idsOf(await readInvoices(client))).toEqual(truth.invoices.ids);
    for (const id of truth.refunds.ids) expect((await readRefund(client, String(id)))?.refund.id).toBe(id);
  });

  it('comes in the order of types, then in the order of pages', async () => {
    const { client } = await startService();
    const pages = await Array.fromAsync(invoicePages(client, DAY, INVOICE_TYPES));
    const places = pages.map(({ invoiceType, page }) => [invoiceType, page]);
    const wanted = Array.from({ length: defined(pages[0]).totalPages }, (_, index) => ['1', index + 1]);
    expect(places.filter(([type]) => type === '1')).toEqual(wanted);
    expect([...new Set(places.map(([type]) => type))]).toEqual(INVOICE_TYPES);
  });

  it('may be empty', async () => {
    const { client, count } = await startService({ size: { invoices: 0 } });
    expect(await readInvoices(client)).toEqual([]);
    expect(count('invoices')).toBe(INVOICE_TYPES.length);
  });

  it('is requested with the parameters that the contract lists', async () => {
    const { client, sandbox, merchant } = await startService({ size: { invoices: 3 } });
    await readInvoices(client, ['6']);
    expect(sandbox.requests.filter(({ operation }) => operation === 'invoices')).toMatchObject([
      {
        method: 'GET',
        path: '/api/v1/invoice-dashboard',
        merchantCode: merchant.merchantCode,
        query: { fromDate: DAY, toDate: DAY, page: '1', invoiceType: '6' },
        status: 200,
      },
    ]);
  });

  it('ends with the first empty page, whatever number of pages was stated', async () => {
    const endless = (text: string) => text.replace(/"total_pages":\d+/, '"total_pages":1000000');
    const { client, count } = await serviceWith(endless, { invoices: 4, times: Infinity });
    expect((await readInvoices(client, ['1'])).length).toBeLessThanOrEqual(4);
    expect(count('invoices')).toBeLessThanOrEqual(1 + 2 * client.window);
  });
});

it('a member with the name __proto__ is kept, at any depth', async () => {
  const named = (text: string) =>
    text.replaceAll('"customer":{', '"__proto__":{"a":1},"customer":{"__proto__":2,');
  const { client } = await serviceWith(named, { times: Infinity });
  const [invoice] = await readInvoices(client, ['1']);
  expect(Object.getOwnPropertyDescriptor(invoice, '__proto__')?.value).toEqual({ a: 1 });
  expect(Object.getOwnPropertyDescriptor(invoice?.customer, '__proto__')?.value).toBe(2);
});

it('addresses in answers are never followed: next_page_url', async () => {
  const { client, sandbox, merchant } = await startService();
  const elsewhere = 'http://127.0.0.1:9/api/v1/invoice-dashboard';
  always(sandbox, 'invoices', {
    kind: 'replace',
    body: (text) => text.replaceAll(`${sandbox.origin}/api/v1/invoice-dashboard`, elsewhere),
  });
  expect(idsOf(await readInvoices(client))).toEqual(
    sandbox.data.truth(merchant.merchantCode, DAY).invoices.ids,
  );
});

describe('a name that appears twice in an invoice', () => {
  const twice = (text: string) => text.replace('"amount":', '"amount":"999.000","amount":');

  it('is found below other members, in any spelling', async () => {
    const escaped = (text: string) =>
      text.replace('"customer":{', `"customer":{"n\\u0061me":${JSON.stringify(CANARY)},`);
    expect((await read(escaped)).repeatedFields.counts()).toEqual({ 'customer.name': 1 });
  });

  it('gives alerts no sum', async () => {
    const { client } = await serviceWith(twice);
    expect(await readAmounts(client, DAY, SETTINGS, { '0': 'not_paid' }, Date.parse(DAY))).toBeNull();
  });

  it('is not shown if it is more than a word', async () => {
    const odd = (text: string) => text.replace('"amount":', `"${CANARY}":1,"${CANARY}":2,"amount":`);
    expect((await read(odd)).repeatedFields.counts()).toEqual({ '(another name)': 1 });
  });
});

it.each([
  ['response.stats.invoice_paid', '"stats":{', '"stats":{"invoice_paid":"0",'],
  ['response.invoices.pagination', '"pagination":', '"pagination":{},"pagination":'],
  ['response.invoices.data', '"data":', '"data":[],"data":'],
  ['response', '"response":', '"response":{},"response":'],
  ['status', '{"status":', '{"status":false,"status":'],
])('a name that appears twice around the records ends the read: %s', async (path, before, after) => {
  const { client } = await serviceWith((text) => text.replace(before, after));
  const error = await failureOf(readDayInvoices(client, DAY, ['1'], () => undefined));
  expect(error).toMatchObject({ name: 'ContractError', path });
  expect(error.message).not.toContain(CANARY);
});

it('a refund in which a name appears twice is kept, and the name is reported', async () => {
  const { client, sandbox, merchant } = await startService({ size: { refunds: 1 } });
  const [id] = sandbox.data.truth(merchant.merchantCode, DAY).refunds.ids;
  const cipher = new Cipher(merchant.cipher);
  const change = (text: string) => {
    const response = String(membersOf(JSON.parse(text))['response']);
    const twice = cipher.decrypt(response).replace('"amount":', '"amount":"999.000","amount":');
    return JSON.stringify({ response: cipher.encrypt(twice) });
  };
  fault(sandbox, 'refund', { kind: 'replace', body: change });
  const reading = await readRefund(client, String(id));
  expect(reading?.repeatedFields.counts()).toEqual({ amount: 1 });
  expect(reading?.refund.amount).not.toBe('999.000');
});

const CANARIES = 'canary-in-the-answer';

/** All of an error that a log or a person could see, with its causes. */
function everythingOf(error: Error): string {
  const chain: string[] = [];
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    const members = [at, Object.getOwnPropertyDescriptors(at)].map((all) => JSON.stringify(all));
    const shown = inspect(at, { depth: 20, showHidden: true, maxStringLength: Infinity });
    chain.push(at.message, at.stack ?? '', ...members, shown);
  }
  return chain.join('\n');
}

/** The tokens that the service gives from now on. */
function tokensOf({ sandbox }: RunningService): string[] {
  const tokens: string[] = [];
  const body = (text: string) => {
    const found = text.matchAll(/"(?:access|refresh)_token":"([^"]+)"/g);
    tokens.push(...Array.from(found, ([, token]) => token ?? ''));
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
      arrange: ({ secret, merchant }) => (secret.stored = entryOf(merchant, { password: CANARIES })),
    },
  ],
  [
    'a wrong key',
    'InvalidRequestError',
    {
      arrange: ({ secret, merchant }) => {
        const cipher = { ...merchant.cipher, key: `${CANARIES}${'k'.repeat(32 - CANARIES.length)}` };
        secret.stored = entryOf(merchant, { cipher });
      },
    },
  ],
  ['an answer that does not decrypt', 'CipherError', { action: canaryBody({ response: 'ab'.repeat(48) }) }],
  [
    'a refusal in undocumented words',
    'RefusedError',
    { action: canaryBody({ status: false, message: CANARIES, response: null }) },
  ],
  ['a wrong type', 'ContractError', { action: canaryBody({ status: true, response: { stats: CANARIES } }) }],
  ['an answer that is not an envelope', 'ContractError', { action: canaryBody([CANARIES]) }],
  [
    'an answer that is not JSON',
    'MalformedAnswerError',
    { action: { kind: 'status', status: 200, body: `<p>${CANARIES}</p>` } },
  ],
  ['a server error', 'ServerError', { action: canaryBody({ message: CANARIES }, 500) }],
  ['a limit on requests', 'RateLimitedError', { action: canaryBody({ message: CANARIES }, 429) }],
  ['a refusal by HTTP status', 'RefusedError', { action: canaryBody({ message: CANARIES }, 418) }],
  [
    'a redirect',
    'RedirectError',
    { action: { kind: 'redirect', location: `http://127.0.0.1:9/${CANARIES}` } },
  ],
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
  if (failing.action !== undefined) always(sandbox, 'invoices', failing.action);
  failing.arrange?.(service);
  const error = await failureOf(failing.read?.(service) ?? readInvoicePage(client, DAY, '1', 1));
  expect(error.name).toBe(name);

  const shown = everythingOf(error);
  const { accessCode, username, password, cipher, merchantCode } = merchant;
  const data = new Cipher(cipher).encrypt(JSON.stringify({ merchantCode }));
  const secrets = [accessCode, username, password, cipher.key, cipher.iv, data, CANARIES, ...tokens];
  for (const secret of secrets) expect(shown).not.toContain(secret);
  expect(shown).not.toMatch(/[?&](?:data|fromDate|page)=|Bearer/);
  const hasLogin = sandbox.requests.some(({ operation, status }) => operation === 'login' && status === 200);
  if (hasLogin) expect(tokens).not.toEqual([]);
});
