import { createDecipheriv } from 'node:crypto';
import { Agent, get as httpGet } from 'node:http';
import { S3Client } from '@aws-sdk/client-s3';
import { once } from 'node:events';
import { createGzip, type Gzip } from 'node:zlib';
import { Upload } from '@aws-sdk/lib-storage';
import type { invoiceSchema } from '#records/rows/contract-records.ts';
import type { SandboxMerchant } from '#sandbox/payments/index.ts';
import { INVOICE_TYPES, MAX_CONCURRENCY } from '../days.ts';
import type { ReaderTask } from '../measure.ts';
import { logIn, type DayTask } from './loops.ts';
import type * as z from 'zod';

type Get = (url: string, headers: Record<string, string>) => Promise<Buffer>;

type Invoice = z.infer<typeof invoiceSchema>;

interface Page {
  response: { invoices: { data: Invoice[]; pagination: { total_pages: number } } };
}

interface TypedRecords {
  invoiceType: string;
  records: Invoice[];
}

const QUOTE = 0x22;

/** By Node's `fetch`, which is undici. It keeps its connections open. */
export const byFetch: Get = async (url, headers) => {
  const answer = await fetch(url, { headers });
  return Buffer.from(await answer.arrayBuffer());
};

/** The page in an answer `{"response":"…"}`. The ciphertext is cut out and not parsed as JSON. */
function opened(body: Buffer, { key, iv }: SandboxMerchant['cipher']): Page {
  const end = body.lastIndexOf(QUOTE);
  const start = body.indexOf('":"') + 3;
  const decipher = createDecipheriv('aes-256-cbc', key, iv).setAutoPadding(false);
  const padded = decipher.update(Buffer.from(body.toString('latin1', start, end), 'hex'));
  return JSON.parse(padded.toString('utf8', 0, padded.length - (padded.at(-1) ?? 0))) as Page;
}

/** The pages of the day, type after type. {@link MAX_CONCURRENCY} of them are under way at a time. */
async function* readPages(task: DayTask, get: Get): AsyncGenerator<TypedRecords> {
  const { list, headers } = await logIn(task);
  const read = async (invoiceType: string, page: number) => {
    const body = await get(`${list}&page=${page}&invoiceType=${invoiceType}`, headers);
    return { invoiceType, ...opened(body, task.merchant.cipher).response.invoices };
  };
  const firsts = await Promise.all(INVOICE_TYPES.map((type) => read(type, 1)));
  const running: ReturnType<typeof read>[] = [];
  for (const first of firsts) {
    running.push(Promise.resolve(first));
    for (let page = 2; page <= first.pagination.total_pages; page += 1) {
      running.push(read(first.invoiceType, page));
      if (running.length < MAX_CONCURRENCY) continue;
      const { invoiceType, data: records } = (await running.shift()) ?? first;
      yield { invoiceType, records };
    }
  }
  for (const page of running) {
    const { invoiceType, data: records } = await page;
    yield { invoiceType, records };
  }
}

const agent = new Agent({ keepAlive: true });

/** By `node:http`, which takes less of the processor than `fetch`. */
export const byHttp: Get = (url, headers) =>
  new Promise((resolve, reject) => {
    httpGet(url, { agent, headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => resolve(Buffer.concat(chunks)));
      answer.on('error', reject);
    }).on('error', reject);
  });

/** The settings of Daybook's own files. */
const GZIP = { level: 3, memLevel: 9, chunkSize: 64 * 1024, writableHighWaterMark: 1024 * 1024 };
/** Characters that go to the compressor at once. */
const BLOCK = 256 * 1024;

/** Lines that are compressed and uploaded while they come. */
class UploadedLines {
  readonly #gzip: Gzip = createGzip(GZIP);
  readonly #uploaded: Promise<unknown>;
  #waiting = '';

  constructor(client: S3Client, bucket: string, key: string) {
    const params = { Bucket: bucket, Key: key, Body: this.#gzip };
    this.#uploaded = new Upload({ client, queueSize: 1, params }).done();
  }

  /** @param lines with their line ends */
  async add(lines: string): Promise<void> {
    this.#waiting += lines;
    if (this.#waiting.length < BLOCK) return;
    const block = this.#waiting;
    this.#waiting = '';
    if (!this.#gzip.write(block)) await once(this.#gzip, 'drain');
  }

  async finish(): Promise<void> {
    this.#gzip.end(this.#waiting);
    await this.#uploaded;
  }
}

export const CSV_HEAD =
  '_merchant_code,_day,_query_type,id,invoice_type,invoice_sub_type,order_drop_id,token,access_key' +
  ',split_access_key,merchant_id,reference_number,amount,admin_charge,service_charge,subscription,discount' +
  ',description,sms_response,invoice_status,payment_method,sms_status,url_status,visited_count,country_id' +
  ',created_id,language,expires_at,url,spliturl,created_at,updated_at,rentperiod,transaction_payment_type_id' +
  ',transaction_payment_id,transaction_post_date,transaction_result_code,transaction_track_id' +
  ',transaction_transaction_id,transaction_reference_number,transaction_payment_type,transaction_paid_on' +
  ',transaction_Auth,transaction_Amount,transaction_admin_charge,customer_name,customer_email' +
  ',customer_phone_number,created_by_merchant_id,created_by_merchant_name,products\n';

const NOT_AS_IT_IS = /[",\r\n]/;

function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return String(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (!NOT_AS_IT_IS.test(text)) return text;
  return `"${text.replace(/\r\n|\r|\n/g, '\\n').replaceAll('"', '""')}"`;
}

/** The columns are written out, because that is the fastest way. `own`: the cells before the invoice's own. */
function csvLine(own: string, row: Invoice): string {
  const { transaction, customer, created_by_merchant: by } = row;
  return (
    `${own},${cell(row.id)},${cell(row.invoice_type)},${cell(row.invoice_sub_type)},${cell(row.order_drop_id)}` +
    `,${cell(row.token)},${cell(row.access_key)},${cell(row.split_access_key)},${cell(row.merchant_id)}` +
    `,${cell(row.reference_number)},${cell(row.amount)},${cell(row.admin_charge)},${cell(row.service_charge)}` +
    `,${cell(row.subscription)},${cell(row.discount)},${cell(row.description)},${cell(row.sms_response)}` +
    `,${cell(row.invoice_status)},${cell(row.payment_method)},${cell(row.sms_status)},${cell(row.url_status)}` +
    `,${cell(row.visited_count)},${cell(row.country_id)},${cell(row.created_id)},${cell(row.language)}` +
    `,${cell(row.expires_at)},${cell(row.url)},${cell(row.spliturl)},${cell(row.created_at)}` +
    `,${cell(row.updated_at)},${cell(row.rentperiod)},${cell(transaction.payment_type_id)}` +
    `,${cell(transaction.payment_id)},${cell(transaction.post_date)},${cell(transaction.result_code)}` +
    `,${cell(transaction.track_id)},${cell(transaction.transaction_id)},${cell(transaction.reference_number)}` +
    `,${cell(transaction.payment_type)},${cell(transaction.paid_on)},${cell(transaction.Auth)}` +
    `,${cell(transaction.Amount)},${cell(transaction.admin_charge)},${cell(customer.name)}` +
    `,${cell(customer.email)},${cell(customer.phone_number)},${cell(by.id)},${cell(by.name)}` +
    `,${cell(row.products)}\n`
  );
}

/**
 * The loop that a person tunes by hand. It writes the same lines as Daybook into the same kind of files: JSON lines and CSV, compressed,
 * in S3. It checks nothing, hashes nothing and tries nothing again.
 *
 * @param place where `invoices.json.gz` and `invoices.csv.gz` go; `prefix` is the beginning of their keys
 * @returns how many rows it wrote
 */
export async function tunedLoop(
  task: DayTask,
  { client, bucket, prefix }: { client: S3Client; bucket: string; prefix: string },
  get: Get = byFetch,
): Promise<number> {
  const json = new UploadedLines(client, bucket, `${prefix}invoices.json.gz`);
  const csv = new UploadedLines(client, bucket, `${prefix}invoices.csv.gz`);
  const { merchantCode } = task.merchant;
  await csv.add(CSV_HEAD);
  let rows = 0;
  for await (const { invoiceType, records } of readPages(task, get)) {
    const own = { _merchant_code: merchantCode, _day: task.day, _query_type: invoiceType };
    const ownJson = `${JSON.stringify(own).slice(0, -1)},`;
    const ownCsv = `${merchantCode},${task.day},${invoiceType}`;
    let jsonLines = '';
    let csvLines = '';
    for (const record of records) {
      jsonLines += `${ownJson}${JSON.stringify(record).slice(1)}\n`;
      csvLines += csvLine(ownCsv, record);
    }
    rows += records.length;
    await json.add(jsonLines);
    await csv.add(csvLines);
  }
  await Promise.all([json.finish(), csv.finish()]);
  return rows;
}

async function written(task: ReaderTask, get: Get): Promise<number> {
  // The SDK adds a checksum to every upload unless it is told not to.
  const client = new S3Client({ requestChecksumCalculation: 'WHEN_REQUIRED' });
  const place = { client, bucket: `bench-${process.pid}`, prefix: `${Math.round(performance.now())}/` };
  const rows = await tunedLoop(task, place, get);
  client.destroy();
  return rows;
}

export function tuned(task: ReaderTask): Promise<number> {
  return written(task, byFetch);
}

export function tunedHttp(task: ReaderTask): Promise<number> {
  return written(task, byHttp);
}
