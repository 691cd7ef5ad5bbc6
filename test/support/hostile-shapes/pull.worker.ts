import { pullDay } from '#page/daily-report/pull/pull-day.ts';
import { Spool } from '#page/daily-report/pull/spool.ts';
import { systemClock } from '#runtime/clock.ts';
import { merchantSettings } from '#registry/merchants.ts';
import { pageSettings } from '#page/page-settings.ts';
import { parseRegistry } from '#registry/registry.ts';
import { PaymentsClient } from '#service/client.ts';
import { CIPHER } from './answers.ts';

/** The cost of one pull: processor time in milliseconds, and how it ended. */
interface Measured {
  cpu: number;
  outcome: string;
}

/** Pulls the day of the service at the address, as a report does. @returns the name of the error, or how many rows */
async function pull(address: string): Promise<string> {
  const registry = parseRegistry(
    JSON.stringify({
      service: { baseUrl: address },
      defaults: { invoiceTypes: ['1'], invoiceStatuses: { '0': 'not_paid' } },
      merchants: [{ merchantCode: '1', refunds: { source: 'list' } }],
    }),
  );
  const settings = merchantSettings(registry, '1');
  const client = new PaymentsClient({
    merchantCode: '1',
    service: registry.service,
    allowedOrigins: [new URL(address).origin],
    secret: {
      current: () =>
        Promise.resolve({
          current: { accessCode: 'a', accessToken: 't', cipher: CIPHER },
          previous: undefined,
        }),
      beforeRotation: () => Promise.resolve(undefined),
    },
    maxConcurrency: settings.maxConcurrency,
    deadline: Date.now() + 120_000,
    now: Date.now,
    sleep: () => Promise.resolve(),
  });
  const spool = new Spool();
  try {
    const request = {
      settings: pageSettings({}, settings),
      day: '2026-11-20',
      knownRefundIds: [],
      last: true,
    };
    const { rows } = await pullDay(client, spool, systemClock, request);
    return `${rows.invoices} rows`;
  } catch (error) {
    return error instanceof Error ? error.name : 'no error';
  } finally {
    client.close();
    await spool.discard();
  }
}

async function measured(address: string): Promise<Measured> {
  const before = process.cpuUsage();
  const outcome = await pull(address);
  const { user, system } = process.cpuUsage(before);
  return { cpu: (user + system) / 1_000, outcome };
}

const TURNS = 3;
const [warmUp = '', ...addresses] = process.argv.slice(2);
for (let turn = 0; turn < 2 * TURNS; turn += 1) await pull(warmUp);
const base = process.resourceUsage().maxRSS;
const sizes: Measured[] = [];
for (const address of addresses) {
  const turns: Measured[] = [];
  for (let turn = 0; turn < TURNS; turn += 1) turns.push(await measured(address));
  // Other programs on the machine can only make it slower, so the smallest time counts.
  turns.sort((a, b) => a.cpu - b.cpu);
  if (turns[0] !== undefined) sizes.push(turns[0]);
}
/** Megabytes beyond those of the warm-up. */
const memory = (process.resourceUsage().maxRSS - base) / 1024;
process.stdout.write(JSON.stringify({ sizes, memory }));
