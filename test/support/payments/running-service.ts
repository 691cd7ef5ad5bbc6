import { setImmediate as nextTurn } from 'node:timers/promises';
import { createCipheriv, createDecipheriv } from 'node:crypto';
import * as z from 'zod';
import type { MerchantCredentials, SecretEntry, SecretReader } from '#service/authentication/credentials.ts';
import {
  credentialsOf,
  type SandboxMerchant,
  sandboxMerchant,
  startPaymentsSandbox,
  type Behaviour,
  type DaySize,
  type Operation,
  type PaymentsFault,
  type PaymentsFaultAction,
  type PaymentsSandbox,
  type SandboxCipher,
} from '#sandbox/payments/index.ts';
import type { Invoice } from '#records/rows/contract-records.ts';
import { PaymentsClient, type PaymentsClientOptions } from '#service/client.ts';
import { invoicePages, readInvoicePage } from '#service/invoices/invoice-list.ts';
import { defined, membersOf } from '#support/assertions/index.ts';

/** An entry of a secret, without a previous one. */
export function entryOf(merchant: SandboxMerchant, change?: Partial<MerchantCredentials>): SecretEntry {
  return { current: { ...credentialsOf(merchant), ...change }, previous: undefined };
}

/** A secret in memory that notes how it was read. */
export class RecordedSecret implements SecretReader {
  /** `cached`, `fresh` and `before rotation`, in the order of reading. */
  readonly reads: string[] = [];
  /** What a cache still holds; left out, there is none. */
  cached: SecretEntry | undefined;
  stored: SecretEntry;
  beforeLastRotation: SecretEntry | undefined;
  /** Thrown by reads past the cache. */
  failure: Error | undefined;

  constructor(current: MerchantCredentials, previous?: MerchantCredentials) {
    this.stored = { current, previous };
  }

  current(fresh: boolean): Promise<SecretEntry> {
    this.reads.push(fresh ? 'fresh' : 'cached');
    if (fresh && this.failure !== undefined) return Promise.reject(this.failure);
    return Promise.resolve(structuredClone(fresh ? this.stored : (this.cached ?? this.stored)));
  }

  beforeRotation(): Promise<SecretEntry | undefined> {
    this.reads.push('before rotation');
    return Promise.resolve(structuredClone(this.beforeLastRotation));
  }
}

/** The client's own settings of the service, with another address. */
export function serviceAt(origin: string) {
  return {
    service: {
      baseUrl: origin,
      loginPath: '/api/v1/login',
      refreshPath: '/api/v1/token-refresh',
      refundListPath: '/api/v1/refund/',
    },
    allowedOrigins: [origin],
  };
}

export const DAY = '2026-11-20';
export const INVOICE_TYPES = ['1', '0', '6', '7'];

/** A clock on which waiting takes no time: it goes forward by what was waited for, and by what a test adds. */
export class TestClock {
  time = Date.parse('2026-11-21T03:00:00Z');
  /** What was waited for, milliseconds. */
  readonly waits: number[] = [];

  readonly now = (): number => this.time;

  readonly sleep = async (milliseconds: number, signal: AbortSignal): Promise<void> => {
    this.waits.push(milliseconds);
    this.time += milliseconds;
    await nextTurn();
    signal.throwIfAborted();
  };
}

export type RunningService = Awaited<ReturnType<typeof startService>>;

export interface ServiceOptions {
  behaviour?: Partial<Behaviour>;
  /** How many invoices and refunds the day has; default 40 and 6. */
  size?: Partial<DaySize>;
  perPage?: number;
  client?: Partial<PaymentsClientOptions>;
}

/** Starts a service with a day in it; it ends, and its clients with it, when the test does. */
export async function startService(options: ServiceOptions = {}) {
  const merchant = sandboxMerchant(0);
  const clock = new TestClock();
  const secret = new RecordedSecret(credentialsOf(merchant));
  const sandbox = await startPaymentsSandbox({
    merchants: [merchant, sandboxMerchant(1)],
    perPage: options.perPage ?? 5,
    now: clock.now,
    ...(options.behaviour !== undefined && { behaviour: options.behaviour }),
  });
  const clients: PaymentsClient[] = [];
  onTestFinished(async () => {
    for (const client of clients) client.close();
    await sandbox.close();
  });
  sandbox.data.seedDay(merchant.merchantCode, DAY, { invoices: 40, refunds: 6, ...options.size });

  const clientWith = (change: Partial<PaymentsClientOptions>) => {
    const client = new PaymentsClient({
      merchantCode: merchant.merchantCode,
      ...serviceAt(sandbox.origin),
      secret,
      maxConcurrency: 16,
      deadline: clock.time + 3_600_000,
      now: clock.now,
      sleep: clock.sleep,
      random: () => 0.5,
      ...options.client,
      ...change,
    });
    clients.push(client);
    return client;
  };
  return {
    sandbox,
    merchant,
    secret,
    clock,
    client: clientWith({}),
    clientWith,
    count: (...operations: Operation[]) =>
      sandbox.requests.filter(({ operation }) => operations.includes(operation)).length,
  };
}

/** Puts a fault into the way of requests of these operations: once, unless `more` says otherwise. */
export function fault(
  { behaviour }: Pick<PaymentsSandbox, 'behaviour'>,
  operation: NonNullable<PaymentsFault['operation']>,
  action: PaymentsFaultAction,
  more: Omit<PaymentsFault, 'operation' | 'action'> = {},
): void {
  behaviour.faults.add({ operation, action, ...more });
}

/** {@link fault} for every request of these operations from now on. */
export function always(
  sandbox: Pick<PaymentsSandbox, 'behaviour'>,
  operation: NonNullable<PaymentsFault['operation']>,
  action: PaymentsFaultAction,
): void {
  fault(sandbox, operation, action, { times: Infinity });
}

/** The merchant's whole day is read, each invoice once. */
export async function expectWholeDay({ client, sandbox, merchant }: RunningService): Promise<void> {
  const { ids } = sandbox.data.truth(merchant.merchantCode, DAY).invoices;
  expect(idsOf(await readInvoices(client))).toEqual(ids);
}

/** Every invoice of the day, in the order of reading. */
export async function readInvoices(
  client: PaymentsClient,
  types: readonly string[] = INVOICE_TYPES,
): Promise<Invoice[]> {
  const invoices: Invoice[] = [];
  for await (const page of invoicePages(client, DAY, types)) invoices.push(...page.invoices);
  return invoices;
}

/** The ids of invoices, ascending, as the sandbox's truth has them. */
export function idsOf(invoices: readonly Pick<Invoice, 'id'>[]): number[] {
  return invoices.map(({ id }) => Number(id)).sort((a, b) => a - b);
}

/** What `work` throws; an error of the test where it throws nothing. */
export async function failureOf(work: Promise<unknown>): Promise<Error> {
  try {
    await work;
  } catch (error) {
    if (error instanceof Error) return error;
    throw new Error('what was thrown is no error', { cause: error });
  }
  throw new Error('it was to fail');
}

/** Reads the same page this many times at once. */
export function readAtOnce(client: PaymentsClient, times: number): Promise<unknown> {
  return Promise.all(Array.from({ length: times }, () => readInvoicePage(client, DAY, '1', 1)));
}

const JSON_HEADERS = { accept: 'application/json', 'content-type': 'application/json' };

/** Ordinary PKCS#7, as a client writes it. */
export function seal(text: string, cipher: SandboxCipher): string {
  const encipher = createCipheriv('aes-256-cbc', cipher.key, cipher.iv);
  return encipher.update(text, 'utf8', 'hex') + encipher.final('hex');
}

/** Any pad length, as a client must read it; `padding` is the pad's length in bytes. */
export function unseal(hex: string, cipher: SandboxCipher): { text: string; padding: number } {
  const decipher = createDecipheriv('aes-256-cbc', cipher.key, cipher.iv).setAutoPadding(false);
  const bytes = Buffer.concat([decipher.update(hex, 'hex'), decipher.final()]);
  const padding = defined(bytes.at(-1));
  return { text: bytes.subarray(0, -padding).toString('utf8'), padding };
}

const tokenSchema = z.looseObject({
  token_type: z.string(),
  expires_in: z.number(),
  access_token: z.string(),
  refresh_token: z.string(),
});
export type TokenAnswer = z.infer<typeof tokenSchema>;
const loginSchema = z.object({ response: z.object({ token: tokenSchema }) });

/** An answer of the service: decrypted where it was encrypted. */
export interface Answered {
  status: number;
  encrypted: boolean;
  /** The envelope as text. */
  text: string;
  body: unknown;
}

export async function post(sandbox: PaymentsSandbox, path: string, body: unknown): Promise<Answered> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const response = await fetch(sandbox.origin + path, { method: 'POST', headers: JSON_HEADERS, body: text });
  const answer = await response.text();
  return { status: response.status, encrypted: false, text: answer, body: JSON.parse(answer) };
}

export async function tokenOf(sandbox: PaymentsSandbox, merchant: SandboxMerchant): Promise<TokenAnswer> {
  const { username, password } = merchant;
  const { body } = await post(sandbox, '/api/v1/login', { username, password });
  return loginSchema.parse(body).response.token;
}

export type Query = Record<string, string | number>;

/** What of a request a test may put wrong; null leaves a header or the payload out. */
export interface Odd {
  token?: string | null;
  accessCode?: string | null;
  data?: string | null;
  headers?: Record<string, string>;
}

/** Logs in; then every request carries what the contract asks for, unless a test puts it wrong. */
export async function signIn(sandbox: PaymentsSandbox, merchant: SandboxMerchant) {
  const token = await tokenOf(sandbox, merchant);
  const payload = JSON.stringify({ merchantCode: merchant.merchantCode });

  const request = (path: string, query: Query = {}, odd: Odd = {}, init: RequestInit = {}) => {
    const url = new URL(path, sandbox.origin);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
    const data = odd.data === undefined ? seal(payload, merchant.cipher) : odd.data;
    if (data !== null) url.searchParams.set('data', data);
    const headers: Record<string, string> = { ...JSON_HEADERS, ...odd.headers };
    const accessToken = odd.token === undefined ? token.access_token : odd.token;
    if (accessToken !== null) headers['authorization'] = `Bearer ${accessToken}`;
    const accessCode = odd.accessCode === undefined ? merchant.accessCode : odd.accessCode;
    if (accessCode !== null) headers['accessCode'] = accessCode;
    return fetch(url, { ...init, headers });
  };

  const get = async (path: string, query?: Query, odd?: Odd): Promise<Answered> => {
    const response = await request(path, query, odd);
    const sent = membersOf(JSON.parse(await response.text()));
    const content = sent['response'];
    const encrypted = typeof content === 'string';
    const text = encrypted ? unseal(content, merchant.cipher).text : JSON.stringify(sent);
    return { status: response.status, encrypted, text, body: JSON.parse(text) };
  };

  return {
    token,
    /** The bare answer, for tests of what goes wrong on the wire. */
    fetch: request,
    get,
    invoices: (query?: Query, odd?: Odd) => get('/api/v1/invoice-dashboard', query, odd),
    refunds: (query?: Query, odd?: Odd) => get('/api/v1/refund/', query, odd),
    refund: (id: number | string, odd?: Odd) => get(`/api/v1/refund/${id}`, {}, odd),
  };
}
