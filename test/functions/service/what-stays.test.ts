import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { sandboxMerchant, startPaymentsSandbox, type PaymentsSandbox } from '#sandbox/payments/index.ts';
import { whatStaysSchema, type ReadingTask } from '#support/memory/what-stays.ts';

const WORKER = fileURLToPath(new URL('../../support/memory/what-stays.worker.ts', import.meta.url));
const PER_PAGE = 15;
const PAGES = 1_300;
/** Pages that are read before anything is measured. */
const WARM_UP = 300;
const DAY = '2026-11-20';
/** Megabytes of V8's young generation: the smaller, the more often it is collected. */
const YOUNG = 8;
/** The part of what is allocated that may get into V8's old generation. */
const MOST_PROMOTED = 0.008;

const merchant = sandboxMerchant(0);
let service: PaymentsSandbox;

// The service runs in this process. Its memory is not measured.
beforeAll(async () => {
  service = await startPaymentsSandbox({
    merchants: [merchant],
    perPage: PER_PAGE,
    behaviour: { invoiceAnswers: 'encrypted' },
  });
  service.data.seedDay(merchant.merchantCode, DAY, { invoices: PAGES * PER_PAGE, refunds: 0 });
});

afterAll(() => service.close());

/*
 * About 0.2 % of what is allocated is promoted. It was 4 to 12 % when each checked page had a function of its own, 2 to 11 % with a listener
 * for each request, and 14 % when requests waited in a linked list.
 */
it('little gets into the old part of the heap from the pages of a day', async () => {
  const task: ReadingTask = { origin: service.origin, merchant, day: DAY, warmUp: WARM_UP };
  const { stdout } = await promisify(execFile)(process.execPath, [
    `--max-semi-space-size=${YOUNG}`,
    '--expose-gc',
    '--disable-warning=ExperimentalWarning',
    WORKER,
    JSON.stringify(task),
  ]);
  const { done, collections, young, promoted } = whatStaysSchema.parse(JSON.parse(stdout));
  expect(done).toBeGreaterThanOrEqual(PAGES);
  expect(collections).toBeGreaterThan(5);
  expect(promoted / young).toBeLessThan(MOST_PROMOTED);
});
