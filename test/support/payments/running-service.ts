import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Invoice } from '#records/rows/contract-records.ts';
import { PaymentsClient, type PaymentsClientOptions } from '#service/client.ts';
import { invoicePages, readInvoicePage } from '#service/invoices/invoice-list.ts';
import {
  credentialsOf,
  sandboxMerchant,
  startPaymentsSandbox,
  type Behaviour,
  type DaySize,
  type Operation,
  type PaymentsFault,
  type PaymentsFaultAction,
  type PaymentsSandbox,
} from '#sandbox/payments/index.ts';
import { RecordedSecret } from './secret-readers.ts';
import { serviceAt } from './service-at.ts';

export const DAY = '2026-11-20';
export const INVOICE_TYPES = ['1', '0', '6', '7'];

/** A clock on which waiting takes no time: it goes forward by what was waited for, and by what a test adds. */
export class TestClock {
  time = Date.parse('2026-11-21T03:00:00Z');
  /** What was waited for, milliseconds. */
  readonly waits: number[] = [];

  readonly now = (): number => this.time;

  readonly sleep = async (milliseconds: number, signal: AbortSignal): Promise<void> => {
    this.waits.push(milliseconds);
    this.time += milliseconds;
    await nextTurn();
    signal.throwIfAborted();
  };
}

export type RunningService = Awaited<ReturnType<typeof startService>>;

export interface ServiceOptions {
  behaviour?: Partial<Behaviour>;
  /** How many invoices and refunds the day has; default 40 and 6. */
  size?: Partial<DaySize>;
  perPage?: number;
  client?: Partial<PaymentsClientOptions>;
}

/** Starts a service with a day in it; it ends, and its clients with it, when the test does. */
export async function startService(options: ServiceOptions = {}) {
  const merchant = sandboxMerchant(0);
  const clock = new TestClock();
  const secret = new RecordedSecret(credentialsOf(merchant));
  const sandbox = await startPaymentsSandbox({
    merchants: [merchant, sandboxMerchant(1)],
    perPage: options.perPage ?? 5,
    now: clock.now,
    ...(options.behaviour !== undefined && { behaviour: options.behaviour }),
  });
  const clients: PaymentsClient[] = [];
  onTestFinished(async () => {
    for (const client of clients) client.close();
    await sandbox.close();
  });
  sandbox.data.seedDay(merchant.merchantCode, DAY, { invoices: 40, refunds: 6, ...options.size });

  const clientWith = (change: Partial<PaymentsClientOptions>) => {
    const client = new PaymentsClient({
      merchantCode: merchant.merchantCode,
      ...serviceAt(sandbox.origin),
      secret,
      maxConcurrency: 16,
      deadline: clock.time + 3_600_000,
      now: clock.now,
      sleep: clock.sleep,
      random: () => 0.5,
      ...options.client,
      ...change,
    });
    clients.push(client);
    return client;
  };
  return {
    sandbox,
    merchant,
    secret,
    clock,
    client: clientWith({}),
    clientWith,
    count: (...operations: Operation[]) =>
      sandbox.requests.filter(({ operation }) => operations.includes(operation)).length,
  };
}

/** Puts a fault into the way of requests of these operations: once, unless `more` says otherwise. */
export function fault(
  { behaviour }: Pick<PaymentsSandbox, 'behaviour'>,
  operation: NonNullable<PaymentsFault['operation']>,
  action: PaymentsFaultAction,
  more: Omit<PaymentsFault, 'operation' | 'action'> = {},
): void {
  behaviour.faults.add({ operation, action, ...more });
}

/** {@link fault} for every request of these operations from now on. */
export function always(
  sandbox: Pick<PaymentsSandbox, 'behaviour'>,
  operation: NonNullable<PaymentsFault['operation']>,
  action: PaymentsFaultAction,
): void {
  fault(sandbox, operation, action, { times: Infinity });
}

/** The merchant's whole day is read, each invoice once. */
export async function expectWholeDay({ client, sandbox, merchant }: RunningService): Promise<void> {
  const { ids } = sandbox.data.truth(merchant.merchantCode, DAY).invoices;
  expect(idsOf(await readInvoices(client))).toEqual(ids);
}

/** Every invoice of the day, in the order of reading. */
export async function readInvoices(
  client: PaymentsClient,
  types: readonly string[] = INVOICE_TYPES,
): Promise<Invoice[]> {
  const invoices: Invoice[] = [];
  for await (const page of invoicePages(client, DAY, types)) invoices.push(...page.invoices);
  return invoices;
}

/** The ids of invoices, ascending, as the sandbox's truth has them. */
export function idsOf(invoices: readonly Pick<Invoice, 'id'>[]): number[] {
  return invoices.map(({ id }) => Number(id)).sort((a, b) => a - b);
}

/** What `work` throws; an error of the test where it throws nothing. */
export async function failureOf(work: Promise<unknown>): Promise<Error> {
  try {
    await work;
  } catch (error) {
    if (error instanceof Error) return error;
    throw new Error('what was thrown is no error', { cause: error });
  }
  throw new Error('it was to fail');
}

/** Reads the same page this many times at once. */
export function readAtOnce(client: PaymentsClient, times: number): Promise<unknown> {
  return Promise.all(Array.from({ length: times }, () => readInvoicePage(client, DAY, '1', 1)));
}
