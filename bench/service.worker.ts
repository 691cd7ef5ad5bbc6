import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { daysUntil } from './small-days.ts';
import { startAwsSandbox } from '#sandbox/aws/index.ts';
import { sandboxMerchant, startPaymentsSandbox } from '#sandbox/payments/index.ts';
import { BUCKET, functionEnvironment, registryOf, secretsOf } from './fleet/world.ts';
import type { ServiceOptions, ServiceReady } from './measure.ts';

/** The payment service and AWS, in a process of their own, so that the measured process does not share its core. */
const options = JSON.parse(process.argv[2] ?? '{}') as ServiceOptions;
const directory = await mkdtemp(join(tmpdir(), 'daybook-bench-'));
const aws = await startAwsSandbox({ directory });
const merchant = sandboxMerchant(0);
let requests = 0;
const payments = await startPaymentsSandbox({
  merchants: [merchant],
  perPage: options.perPage,
  cacheBytes: 1_000_000_000,
  behaviour: { invoiceAnswers: 'encrypted', latencyMilliseconds: options.latency },
  onRequest: () => {
    requests += 1;
  },
});
for (const day of daysUntil(options.day, options.days ?? 1)) {
  payments.data.seedDay(merchant.merchantCode, day, { invoices: options.invoices, refunds: 0 });
}
const rules = [
  { name: 'many-unpaid', measure: 'unpaidCount', above: 1_000_000_000 },
  { name: 'many-cancelled', measure: 'cancelledShare', above: 100 },
];
const registry = registryOf(1, payments.origin, options.maxConcurrency, { defaults: { alerts: rules } });
await aws.s3.write(BUCKET, 'config/merchants.json', registry);
for (const [name, text] of secretsOf(1)) aws.secrets.put(name, text);
const ready: ServiceReady = {
  origin: payments.origin,
  environment: functionEnvironment(aws.environment, payments.origin, tmpdir()),
  merchant,
};
process.send?.(ready);
process.on('message', () => {
  process.send?.(requests);
  requests = 0;
});
process.once('disconnect', () => {
  void Promise.all([aws.close(), payments.close()])
    .then(() => rm(directory, { recursive: true }))
    .finally(() => process.exit());
});
