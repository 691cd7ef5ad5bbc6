import { NO_CHECK } from '#records/revision/check-record.ts';
import { NO_HISTORY } from '#page/history-store.ts';
import { merchantSettings } from '#registry/merchants.ts';
import { parseRegistry } from '#registry/registry.ts';
import { createS3Client } from '#runtime/s3-client.ts';
import { DayStore } from '#page/day-store.ts';
import { systemClock } from '#runtime/clock.ts';
import { PaymentsClient } from '#service/client.ts';
import { sealDay } from '#page/daily-report/seal/seal-day.ts';
import { INVOICE_TYPES, MAX_CONCURRENCY } from '../days.ts';
import type { ReaderTask } from '../measure.ts';

/** The product: checked, balanced, both formats, both hashes, sealed in S3. */
export async function sealOnce(task: ReaderTask): Promise<number> {
  const { merchant, origin } = task;
  const registry = parseRegistry(
    JSON.stringify({
      service: { baseUrl: origin },
      merchants: [
        {
          merchantCode: merchant.merchantCode,
          maxConcurrency: MAX_CONCURRENCY,
          invoiceTypes: INVOICE_TYPES,
          invoiceStatuses: { 0: 'not_paid', 1: 'paid', 3: 'cancelled' },
        },
      ],
    }),
  );
  const { merchantCode, accessCode, cipher, username, password } = merchant;
  const credentials = { accessCode, cipher, username, password };
  const client = new PaymentsClient({
    merchantCode,
    service: registry.service,
    allowedOrigins: [origin],
    secret: {
      current: () => Promise.resolve({ current: credentials, previous: undefined }),
      beforeRotation: () => Promise.resolve(undefined),
    },
    maxConcurrency: MAX_CONCURRENCY,
    deadline: Date.now() + 15 * 60_000,
    now: () => Date.now(),
    sleep: (milliseconds, signal) => systemClock.sleep(milliseconds, signal),
  });
  // A bucket of its own, so that no earlier revision makes the day "unchanged".
  const bucket = `bench-${process.pid}-${Math.round(performance.now())}`;
  const { manifest } = await sealDay(client, new DayStore(createS3Client(), bucket), systemClock, {
    settings: merchantSettings(registry, merchantCode),
    day: task.day,
    scheduledTime: null,
    known: { newest: undefined, check: NO_CHECK },
    history: () => Promise.resolve(NO_HISTORY),
    telling: () => Promise.resolve({ told: [], older: null }),
    refundIds: [],
    onPull: () => undefined,
  });
  client.close();
  if (!manifest.balanced) throw new Error('the day that was measured is not balanced');
  return manifest.files.find((file) => file.table === 'invoices')?.rows ?? 0;
}
