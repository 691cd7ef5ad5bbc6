import { pullDay } from '#page/daily-report/pull/pull-day.ts';
import { Spool } from '#page/daily-report/pull/spool.ts';
import { systemClock } from '#runtime/clock.ts';
import { merchantSettings } from '#registry/merchants.ts';
import { pageSettings } from '#page/page-settings.ts';
import { parseRegistry } from '#registry/registry.ts';
import { PaymentsClient } from '#service/client.ts';
import { CIPHER } from './shapes.ts';

/** How a pull ended: its invoices and differences, or the name of its error. */
export interface Pulled {
  rows: number;
  differences: number;
  /** Empty when it succeeded. */
  error: string;
}

/** Pulls a day of the service at the address, as a report does. @param merchant members of its entry in the registry */
export async function pull(address: string, merchant: Record<string, unknown>): Promise<Pulled> {
  const registry = parseRegistry(
    JSON.stringify({ service: { baseUrl: address }, merchants: [{ merchantCode: '1', ...merchant }] }),
  );
  const settings = merchantSettings(registry, '1');
  const credentials = { accessCode: 'a', accessToken: 't', cipher: CIPHER };
  const client = new PaymentsClient({
    merchantCode: '1',
    service: registry.service,
    allowedOrigins: [new URL(address).origin],
    secret: {
      current: () => Promise.resolve({ current: credentials, previous: undefined }),
      beforeRotation: () => Promise.resolve(undefined),
    },
    maxConcurrency: settings.maxConcurrency,
    deadline: Date.now() + 120_000,
    now: Date.now,
    sleep: () => Promise.resolve(),
  });
  const spool = new Spool();
  const request = { settings: pageSettings({}, settings), day: '2026-11-20', knownRefundIds: [], last: true };
  try {
    const { rows, differences } = await pullDay(client, spool, systemClock, request);
    return { rows: rows.invoices, differences: differences.length, error: '' };
  } catch (error) {
    return { rows: 0, differences: 0, error: error instanceof Error ? error.name : 'no error' };
  } finally {
    client.close();
    await spool.discard();
  }
}
