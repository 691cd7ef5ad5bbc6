// The payment service and AWS in a process of their own, so that the measured process does not share its core.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startAwsSandbox } from '#sandbox/aws/index.ts';
import {
  sandboxMerchant,
  startPaymentsSandbox,
  type PaymentsSandbox,
  type SandboxMerchant,
} from '#sandbox/payments/index.ts';
import { serve } from './child.ts';
import { BUCKET, DAY, daysUntil } from './days.ts';
import { functionEnvironment, registryOf, secretsOf } from './world.ts';

export interface ServiceOptions {
  invoices: number;
  perPage: number;
  /** Milliseconds per request. Default 0. */
  latency?: number;
  /** How many days have that many invoices; the last one is {@link DAY}. Default 1. */
  days?: number;
}

export interface RunningService {
  origin: string;
  merchant: SandboxMerchant;
  environment: Record<string, string>;
  /** A bucket's objects are files in `<buckets>/<bucket>`. */
  buckets: string;
  /** The service's own count and sum of the day's invoices. */
  truth: { invoices: number; total: string };
}

const directory = await mkdtemp(join(tmpdir(), 'daybook-bench-'));
const aws = await startAwsSandbox({ directory });
for (const [name, text] of secretsOf(1)) aws.secrets.put(name, text);
const merchant = sandboxMerchant(0);
let payments: PaymentsSandbox | undefined;

function running(): PaymentsSandbox {
  if (payments === undefined) throw new Error('the service has not been started');
  return payments;
}

async function enroll(bucket: string): Promise<void> {
  const registry = registryOf(1, running().origin);
  await aws.s3.write(bucket, 'config/merchants.json', registry);
}

serve(
  {
    start: async ({ invoices, perPage, latency = 0, days = 1 }: ServiceOptions): Promise<RunningService> => {
      payments = await startPaymentsSandbox({
        merchants: [merchant],
        perPage,
        cacheBytes: 1_000_000_000,
        behaviour: { invoiceAnswers: 'encrypted', latencyMilliseconds: latency },
      });
      const { data, origin } = payments;
      for (const day of daysUntil(DAY, days)) {
        data.seedDay(merchant.merchantCode, day, { invoices, refunds: 0 });
      }
      await enroll(BUCKET);
      const { count, total } = data.truth(merchant.merchantCode, DAY).invoices;
      const environment = functionEnvironment(aws.environment, origin, directory);
      const truth = { invoices: count, total };
      return { origin, merchant, environment, buckets: join(directory, 's3'), truth };
    },
    latency: (milliseconds: number) => {
      running().behaviour.latencyMilliseconds = milliseconds;
    },
    /** A new bucket for one run, so that no earlier run makes its day "unchanged". */
    bucket: enroll,
    drop: (name: string) => rm(join(directory, 's3', name), { recursive: true, force: true }),
  },
  async () => {
    await Promise.all([aws.close(), payments?.close()]);
    await rm(directory, { recursive: true, force: true });
  },
);
