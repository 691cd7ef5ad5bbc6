import { createCipheriv, createDecipheriv } from 'node:crypto';
import * as z from 'zod';
import type { PaymentsSandbox, SandboxCipher, SandboxMerchant } from '#sandbox/payments/index.ts';
import { defined } from '#support/assertions/defined.ts';
import { membersOf } from '#support/assertions/members.ts';

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
