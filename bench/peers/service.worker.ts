// The payment service and AWS in a process of their own. Each run gets a bucket of its own, so that no earlier run makes its day "unchanged".
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startAwsSandbox } from '#sandbox/aws/index.ts';
import { sandboxMerchant, startPaymentsSandbox } from '#sandbox/payments/index.ts';
import type { PaymentsSandbox, SandboxMerchant } from '#sandbox/payments/index.ts';
import { functionEnvironment, registryOf, secretsOf } from '../fleet/world.ts';
import { serve } from '../fleet/workers/serve.ts';
import { DAY, MAX_CONCURRENCY } from '../rows/row.ts';
import type { OutputFigures } from './figures.ts';

/** The service as the programs see it. */
export interface RunningService {
  origin: string;
  merchant: SandboxMerchant;
  /** The variables of the function. */
  environment: Record<string, string>;
  /** A bucket's objects are files in `<buckets>/<bucket>`. */
  buckets: string;
  /** The service's own data. */
  truth: OutputFigures;
}

const CACHE_BYTES = 1_000_000_000;
const directory = await mkdtemp(join(tmpdir(), 'daybook-peers-service-'));
const aws = await startAwsSandbox({ directory });
for (const [name, text] of secretsOf(1)) aws.secrets.put(name, text);
const merchant = sandboxMerchant(0);
let payments: PaymentsSandbox | undefined;

function running(): PaymentsSandbox {
  if (payments === undefined) throw new Error('the service has not been started');
  return payments;
}

serve(
  {
    start: async ({ invoices, perPage }: { invoices: number; perPage: number }): Promise<RunningService> => {
      payments = await startPaymentsSandbox({
        merchants: [merchant],
        perPage,
        cacheBytes: CACHE_BYTES,
        behaviour: { invoiceAnswers: 'encrypted' },
      });
      const { data, origin } = payments;
      data.seedDay(merchant.merchantCode, DAY, { invoices, refunds: 0 });
      const { count, total } = data.truth(merchant.merchantCode, DAY).invoices;
      const environment = functionEnvironment(aws.environment, origin, directory);
      const truth = { invoices: count, total };
      return { origin, merchant, environment, buckets: join(directory, 's3'), truth };
    },
    latency: (milliseconds: number) => {
      running().behaviour.latencyMilliseconds = milliseconds;
    },
    bucket: (name: string) =>
      aws.s3.write(name, 'config/merchants.json', registryOf(1, running().origin, MAX_CONCURRENCY)),
    drop: (name: string) => rm(join(directory, 's3', name), { recursive: true, force: true }),
  },
  async () => {
    await Promise.all([aws.close(), payments?.close()]);
    await rm(directory, { recursive: true, force: true });
  },
);
