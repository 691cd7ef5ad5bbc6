// The payment service in a process of its own. A merchant's day is made just before it is read, and removed afterwards. So
// a million invoices need no more space than a few merchants.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as turn } from 'node:timers/promises';
import { sandboxMerchant, startPaymentsSandbox } from '#sandbox/payments/index.ts';
import type { PaymentsSandbox } from '#sandbox/payments/index.ts';
import { fastDirectory, serve } from '../child.ts';

/** Records that are made in one step. The service answers other requests in between. */
const CHUNK = 2_000;
/** Almost no page is requested twice. */
const CACHE_BYTES = 32 * 1_048_576;

const directory = fastDirectory('service');
let service: { sandbox: PaymentsSandbox; database: DatabaseSync } | undefined;

function running() {
  if (service === undefined) throw new Error('the service has not been started');
  return service;
}

export interface Seed {
  merchantCode: string;
  day: string;
  invoices: number;
  refunds: number;
}

serve(
  {
    start: async ({ merchants, perPage }: { merchants: number; perPage: number }) => {
      const file = join(directory, 'service.sqlite');
      const sandbox = await startPaymentsSandbox({
        merchants: Array.from({ length: merchants }, (_, index) => sandboxMerchant(index)),
        database: file,
        perPage,
        cacheBytes: CACHE_BYTES,
        behaviour: { invoiceAnswers: 'encrypted' },
      });
      const database = new DatabaseSync(file);
      database.exec('PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF');
      service = { sandbox, database };
      return sandbox.origin;
    },
    seed: async ({ merchantCode, day, invoices, refunds }: Seed) => {
      const { data } = running().sandbox;
      let made = 0;
      for (let seed = 1; made < invoices || seed === 1; seed += 1) {
        const some = Math.min(CHUNK, invoices - made);
        data.seedDay(merchantCode, day, { invoices: some, refunds: seed === 1 ? refunds : 0, seed });
        made += some;
        await turn();
      }
    },
    drop: (merchantCode: string) => {
      const { database } = running();
      database
        .prepare("DELETE FROM records WHERE kind IN ('invoice', 'refund') AND merchant = ?")
        .run(merchantCode);
    },
  },
  async () => {
    service?.database.close();
    await service?.sandbox.close();
    await rm(directory, { recursive: true, force: true });
  },
);
