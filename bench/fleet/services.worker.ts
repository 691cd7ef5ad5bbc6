// The payment service and AWS in a process of their own. A merchant's day is made just before it is read, and removed with
// what its report wrote. So a million invoices need no more space than a few merchants.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as turn } from 'node:timers/promises';
import {
  checkedKey,
  dataPrefix,
  historyKey,
  ledgerPrefix,
  merchantDay,
  pagePrefix,
} from '#records/storage/keys.ts';
import { startAwsSandbox } from '#sandbox/aws/index.ts';
import { sandboxMerchant, startPaymentsSandbox, type PaymentsSandbox } from '#sandbox/payments/index.ts';
import { fastDirectory, serve } from '../child.ts';
import { BUCKET, DAY, REPORTS } from '../days.ts';
import { functionEnvironment, recipientOf, registryOf, secretsOf } from '../world.ts';
import type { DaySize } from './sizes.ts';

export interface Settled {
  /** Of its objects, without the history, which each report writes again. */
  bytes: number;
  mails: number;
  /** The text of the newest manifest; `null` when nothing is sealed. */
  manifest: string | null;
}

/** Records that are made in one step. The service answers other requests in between. */
const CHUNK = 2_000;
/** Almost no page is requested twice. */
const CACHE_BYTES = 32 * 1_048_576;

const directory = fastDirectory('services');
const file = join(directory, 'service.sqlite');
const aws = await startAwsSandbox({ directory });
aws.queues.put(REPORTS);
const mails = new Map<string, number>();
let payments: PaymentsSandbox | undefined;
let database: DatabaseSync | undefined;

function takeMails(): void {
  for (const { destinations } of aws.mail.messages.splice(0)) {
    for (const to of destinations) mails.set(to, (mails.get(to) ?? 0) + 1);
  }
}

function keysOf(merchantCode: string): string[] {
  const own = `day=${DAY}/merchant=${merchantCode}/`;
  const folders = [
    ...(['invoices', 'refunds'] as const).flatMap((table) =>
      (['json', 'csv'] as const).map((format) => `${dataPrefix(table, format)}${own}`),
    ),
    pagePrefix(merchantDay(merchantCode, DAY)),
    `${ledgerPrefix(DAY)}merchant=${merchantCode}/`,
  ];
  return [
    ...folders.flatMap((folder) => aws.s3.list(BUCKET, folder)),
    checkedKey(DAY, merchantCode),
    historyKey(merchantCode),
  ];
}

serve(
  {
    /** @returns the variables of the functions */
    start: async ({ merchants, folder }: { merchants: number; folder: string }) => {
      payments = await startPaymentsSandbox({
        merchants: Array.from({ length: merchants }, (_, index) => sandboxMerchant(index)),
        database: file,
        perPage: 15,
        cacheBytes: CACHE_BYTES,
        behaviour: { invoiceAnswers: 'encrypted' },
      });
      database = new DatabaseSync(file);
      database.exec('PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF');
      for (const [name, text] of secretsOf(merchants)) aws.secrets.put(name, text);
      await aws.s3.write(BUCKET, 'config/merchants.json', registryOf(merchants, payments.origin));
      const queue = `${aws.environment['AWS_ENDPOINT_URL_SQS'] ?? ''}/000000000000/${REPORTS}`;
      return { ...functionEnvironment(aws.environment, payments.origin, folder), QUEUES_REPORTS: queue };
    },
    putAll: async (objects: { key: string; text: string }[]) => {
      for (const { key, text } of objects) await aws.s3.write(BUCKET, key, text);
    },
    messages: () => aws.queues.messages(REPORTS).map(({ body }) => body),
    seed: async ({ merchantCode, invoices, refunds }: DaySize & { merchantCode: string }) => {
      let made = 0;
      for (let seed = 1; made < invoices || seed === 1; seed += 1) {
        const some = Math.min(CHUNK, invoices - made);
        payments?.data.seedDay(merchantCode, DAY, {
          invoices: some,
          refunds: seed === 1 ? refunds : 0,
          seed,
        });
        made += some;
        await turn();
      }
    },
    settle: async (merchantCode: string): Promise<Settled> => {
      takeMails();
      aws.requests.length = 0;
      const settled: Settled = { bytes: 0, mails: mails.get(recipientOf(merchantCode)) ?? 0, manifest: null };
      for (const key of keysOf(merchantCode)) {
        const body = await aws.s3.read(BUCKET, key);
        if (body === undefined) continue;
        if (key !== historyKey(merchantCode)) settled.bytes += body.length;
        if (key.startsWith(pagePrefix(merchantDay(merchantCode, DAY)))) settled.manifest = body.toString();
        await aws.s3.remove(BUCKET, key);
      }
      database
        ?.prepare("DELETE FROM records WHERE kind IN ('invoice', 'refund') AND merchant = ?")
        .run(merchantCode);
      return settled;
    },
  },
  async () => {
    database?.close();
    await Promise.all([aws.close(), payments?.close()]);
    await rm(directory, { recursive: true, force: true });
  },
);
