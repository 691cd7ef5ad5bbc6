import { createCipheriv, createDecipheriv } from 'node:crypto';
import type * as z from 'zod';
import type { invoiceSchema } from '#records/rows/contract-records.ts';
import type { SandboxMerchant } from '#sandbox/payments/index.ts';

/** The bytes of an answer. */
export type Get = (url: string, headers: Record<string, string>) => Promise<Buffer>;

/** Which day is read, and how. */
export interface DayTask {
  origin: string;
  merchant: Pick<SandboxMerchant, 'merchantCode' | 'accessCode' | 'cipher' | 'username' | 'password'>;
  day: string;
  invoiceTypes: readonly string[];
  /** Pages at once. */
  maxConcurrency: number;
}

/** An invoice as the contract shows it. */
export type Invoice = z.infer<typeof invoiceSchema>;

/** A parsed page. Nothing checks that it looks like this. */
interface Page {
  response: { invoices: { data: Invoice[]; pagination: { total_pages: number } } };
}

/** The records of a page, and the type that they were asked by. */
export interface TypedRecords {
  invoiceType: string;
  records: Invoice[];
}

const QUOTE = 0x22;

/** By Node's `fetch`, which is undici. It keeps its connections open. */
export const byFetch: Get = async (url, headers) => {
  const answer = await fetch(url, { headers });
  return Buffer.from(await answer.arrayBuffer());
};

async function headersOf({ origin, merchant }: DayTask): Promise<Record<string, string>> {
  const answer = await fetch(`${origin}/api/v1/login`, {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    body: JSON.stringify({ username: merchant.username, password: merchant.password }),
  });
  const { response } = (await answer.json()) as { response: { token: { access_token: string } } };
  return {
    accept: 'application/json',
    'content-type': 'application/json',
    authorization: `Bearer ${response.token.access_token}`,
    accessCode: merchant.accessCode,
  };
}

/** The page in an answer `{"response":"…"}`. The ciphertext is cut out and not parsed as JSON. */
function opened(body: Buffer, { key, iv }: SandboxMerchant['cipher']): Page {
  const end = body.lastIndexOf(QUOTE);
  const start = body.indexOf('":"') + 3;
  const decipher = createDecipheriv('aes-256-cbc', key, iv).setAutoPadding(false);
  const padded = decipher.update(Buffer.from(body.toString('latin1', start, end), 'hex'));
  return JSON.parse(padded.toString('utf8', 0, padded.length - (padded.at(-1) ?? 0))) as Page;
}

/** The pages of the day, type after type. `maxConcurrency` of them are under way at a time. */
export async function* readPages(task: DayTask, get: Get): AsyncGenerator<TypedRecords> {
  const { origin, merchant, day, invoiceTypes, maxConcurrency } = task;
  const headers = await headersOf(task);
  const cipher = createCipheriv('aes-256-cbc', merchant.cipher.key, merchant.cipher.iv);
  const data =
    cipher.update(JSON.stringify({ merchantCode: merchant.merchantCode }), 'utf8', 'hex') +
    cipher.final('hex');
  const list = `${origin}/api/v1/invoice-dashboard?fromDate=${day}&toDate=${day}&data=${data}`;
  const read = async (invoiceType: string, page: number) => {
    const body = await get(`${list}&page=${page}&invoiceType=${invoiceType}`, headers);
    return { invoiceType, ...opened(body, merchant.cipher).response.invoices };
  };
  const firsts = await Promise.all(invoiceTypes.map((type) => read(type, 1)));
  const running: ReturnType<typeof read>[] = [];
  for (const first of firsts) {
    running.push(Promise.resolve(first));
    for (let page = 2; page <= first.pagination.total_pages; page += 1) {
      running.push(read(first.invoiceType, page));
      if (running.length < maxConcurrency) continue;
      const { invoiceType, data: records } = (await running.shift()) ?? first;
      yield { invoiceType, records };
    }
  }
  for (const page of running) {
    const { invoiceType, data: records } = await page;
    yield { invoiceType, records };
  }
}
