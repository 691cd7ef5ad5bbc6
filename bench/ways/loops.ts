import { createCipheriv, createDecipheriv } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { INVOICE_TYPES, MAX_CONCURRENCY } from '../days.ts';
import type { ReaderTask } from '../measure.ts';

export interface DayTask extends Pick<ReaderTask, 'origin' | 'day'> {
  merchant: Omit<ReaderTask['merchant'], 'name'>;
}

/** The address of the day's pages, to which `&page=` and `&invoiceType=` are added, and the headers of its requests. */
export async function logIn({ origin, merchant, day }: DayTask) {
  const types = { accept: 'application/json', 'content-type': 'application/json' };
  const answer = await fetch(`${origin}/api/v1/login`, {
    method: 'POST',
    headers: types,
    body: JSON.stringify({ username: merchant.username, password: merchant.password }),
  });
  const { response } = (await answer.json()) as { response: { token: { access_token: string } } };
  const cipher = createCipheriv('aes-256-cbc', merchant.cipher.key, merchant.cipher.iv);
  const data =
    cipher.update(JSON.stringify({ merchantCode: merchant.merchantCode }), 'utf8', 'hex') +
    cipher.final('hex');
  return {
    list: `${origin}/api/v1/invoice-dashboard?fromDate=${day}&toDate=${day}&data=${data}`,
    headers: {
      ...types,
      authorization: `Bearer ${response.token.access_token}`,
      accessCode: merchant.accessCode,
    },
  };
}

/** A parsed page. The loops below do not look into it. */
interface BarePage {
  invoices: { data: unknown[]; pagination: { total_pages: number } };
}

/** The least that reading needs: fetch, decrypt, parse. No checks, no retries, no tokens that expire. */
async function bareReader(
  task: ReaderTask,
): Promise<(invoiceType: string, page: number) => Promise<BarePage>> {
  const { list, headers } = await logIn(task);
  const { key, iv } = task.merchant.cipher;
  return async (invoiceType, page) => {
    const answer = await fetch(`${list}&page=${page}&invoiceType=${invoiceType}`, { headers });
    const { response } = (await answer.json()) as { response: string };
    const decipher = createDecipheriv('aes-256-cbc', key, iv).setAutoPadding(false);
    const padded = decipher.update(response, 'hex');
    const text = padded.toString('utf8', 0, padded.length - (padded.at(-1) ?? 0));
    return (JSON.parse(text) as { response: BarePage }).response;
  };
}

/** Gzips the rows as JSON lines without keeping them, and counts them. */
async function gzipped(pages: AsyncIterable<BarePage>): Promise<number> {
  let rows = 0;
  async function* lines() {
    for await (const page of pages) {
      rows += page.invoices.data.length;
      yield page.invoices.data.map((row) => `${JSON.stringify(row)}\n`).join('');
    }
  }
  await pipeline(Readable.from(lines()), createGzip(), createWriteStream('/dev/null'));
  return rows;
}

/** Reads with this number of requests at once, and does nothing else. */
export async function bareLoop(task: ReaderTask): Promise<number> {
  const read = await bareReader(task);
  async function* pages() {
    for (const type of INVOICE_TYPES) {
      const first = await read(type, 1);
      yield first;
      const running: Promise<BarePage>[] = [];
      for (let page = 2; page <= first.invoices.pagination.total_pages; page += 1) {
        running.push(read(type, page));
        const next = running.length >= MAX_CONCURRENCY ? running.shift() : undefined;
        if (next !== undefined) yield await next;
      }
      for (const page of running) yield await page;
    }
  }
  return gzipped(pages());
}

/** The loop that people usually write: one page after another. */
export async function sequentialLoop(task: ReaderTask): Promise<number> {
  const read = await bareReader(task);
  async function* pages() {
    for (const type of INVOICE_TYPES) {
      for (let page = 1, last = 1; page <= last; page += 1) {
        const answer = await read(type, page);
        last = answer.invoices.pagination.total_pages;
        yield answer;
      }
    }
  }
  return gzipped(pages());
}
