// S3, Secrets Manager, SES and SQS in a process of their own. What a report wrote is counted and removed.
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  checkedKey,
  dataPrefix,
  historyKey,
  ledgerPrefix,
  merchantDay,
  pagePrefix,
} from '#records/storage/keys.ts';
import { startAwsSandbox } from '#sandbox/aws/index.ts';
import { fastDirectory, serve } from '../child.ts';
import { BUCKET, REPORTS } from '../days.ts';
import { recipientOf } from '../world.ts';

export interface Settled {
  objects: number;
  bytes: number;
  mails: number;
  /** The text of the newest manifest; `null` when nothing is sealed. */
  manifest: string | null;
}

const directory = fastDirectory('aws');
const aws = await startAwsSandbox({ directory });
aws.queues.put(REPORTS);
const mails = new Map<string, number>();

async function takeMails(): Promise<void> {
  for (const { destinations } of aws.mail.messages.splice(0)) {
    for (const to of destinations) mails.set(to, (mails.get(to) ?? 0) + 1);
  }
  const folder = join(directory, 'mail');
  await Promise.all((await readdir(folder)).map((name) => rm(join(folder, name), { force: true })));
}

function keysOf(merchantCode: string, day: string): string[] {
  const own = `day=${day}/merchant=${merchantCode}/`;
  const folders = [
    ...(['invoices', 'refunds'] as const).flatMap((table) =>
      (['json', 'csv'] as const).map((format) => `${dataPrefix(table, format)}${own}`),
    ),
    pagePrefix(merchantDay(merchantCode, day)),
    `${ledgerPrefix(day)}merchant=${merchantCode}/`,
  ];
  return [
    ...folders.flatMap((folder) => aws.s3.list(BUCKET, folder)),
    checkedKey(day, merchantCode),
    historyKey(merchantCode),
  ];
}

serve(
  {
    start: () => ({
      ...aws.environment,
      QUEUES_REPORTS: `${aws.environment['AWS_ENDPOINT_URL_SQS'] ?? ''}/000000000000/${REPORTS}`,
    }),
    putAll: async (objects: { key: string; text: string }[]) => {
      for (const { key, text } of objects) await aws.s3.write(BUCKET, key, text);
    },
    messages: () => aws.queues.messages(REPORTS).map(({ body }) => body),
    secret: ({ name, text }: { name: string; text: string }) => {
      aws.secrets.put(name, text);
    },
    settle: async ({ merchantCode, day }: { merchantCode: string; day: string }): Promise<Settled> => {
      await takeMails();
      aws.requests.length = 0;
      const settled: Settled = { objects: 0, bytes: 0, mails: 0, manifest: null };
      for (const key of keysOf(merchantCode, day)) {
        const body = await aws.s3.read(BUCKET, key);
        if (body === undefined) continue;
        settled.objects += 1;
        // The history is one object for all days. Each report writes it again.
        if (key !== historyKey(merchantCode)) settled.bytes += body.length;
        if (key.startsWith(pagePrefix(merchantDay(merchantCode, day)))) settled.manifest = body.toString();
        await aws.s3.remove(BUCKET, key);
      }
      settled.mails = mails.get(recipientOf(merchantCode)) ?? 0;
      mails.delete(recipientOf(merchantCode));
      return settled;
    },
  },
  async () => {
    await aws.close();
    await rm(directory, { recursive: true, force: true });
  },
);
