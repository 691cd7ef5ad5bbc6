import { pullDay } from '#page/daily-report/pull/pull-day.ts';
import { Spool } from '#page/daily-report/pull/spool.ts';
import { systemClock } from '#runtime/clock.ts';
import { merchantSettings } from '#registry/merchants.ts';
import { pageSettings } from '#page/page-settings.ts';
import { parseRegistry } from '#registry/registry.ts';
import { PaymentsClient } from '#service/client.ts';

/** Pulls one day of the service at the given address, and prints the result and the memory it took. */
const [origin = ''] = process.argv.slice(2);
const registry = parseRegistry(
  JSON.stringify({
    service: { baseUrl: origin },
    merchants: [{ merchantCode: '1', refunds: { source: 'watchlist' } }],
  }),
);
const settings = merchantSettings(registry, '1');
const cipher = { algorithm: 'aes-256-cbc' as const, key: 'k'.repeat(32), iv: 'i'.repeat(16) };
const client = new PaymentsClient({
  merchantCode: '1',
  service: registry.service,
  allowedOrigins: [origin],
  secret: {
    current: () =>
      Promise.resolve({ current: { accessCode: 'a', accessToken: 't', cipher }, previous: undefined }),
    beforeRotation: () => Promise.resolve(undefined),
  },
  maxConcurrency: settings.maxConcurrency,
  deadline: Date.now() + 60_000,
  now: Date.now,
  sleep: (milliseconds) => systemClock.sleep(milliseconds),
});
const spool = new Spool();
let outcome: { rows: number; differences: number; error: string };
try {
  const request = { settings: pageSettings({}, settings), day: '2026-11-20', knownRefundIds: [], last: true };
  const { rows, differences } = await pullDay(client, spool, systemClock, request);
  outcome = { rows: rows.invoices, differences: differences.length, error: '' };
} catch (error) {
  outcome = { rows: 0, differences: 0, error: error instanceof Error ? error.name : 'no error' };
} finally {
  await spool.discard();
}
process.stdout.write(JSON.stringify({ ...outcome, megabytes: process.resourceUsage().maxRSS / 1024 }));
