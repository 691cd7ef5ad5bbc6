import { portOf } from '../ports.ts';
import { once } from 'node:events';
import { defaultBehaviour, type Behaviour } from './http/behaviour.ts';
import { checkCipher, type SandboxCipher } from './http/cipher.ts';
import { createPaymentsData } from './day/data.ts';
import { openDatabase, createStore } from './store.ts';
import { createListings } from './http/listings.ts';
import { checkMerchants, type SandboxMerchant } from './day/merchant.ts';
import { createOperations } from './http/operations.ts';
import { createPaymentsServer, type RecordedRequest } from './http/server.ts';
import type { Service } from './service.ts';
import { createTokens } from './http/tokens.ts';

export type { Behaviour } from './http/behaviour.ts';
export type { SandboxCipher } from './http/cipher.ts';
export type { PaymentsData } from './day/data.ts';
export type { PaymentsFault, PaymentsFaultAction } from './http/faults.ts';
export { credentialsOf, sandboxMerchant, type SandboxMerchant } from './day/merchant.ts';
export type { Operation } from './http/request-facts.ts';
export type { RecordedRequest } from './http/server.ts';
export type { DaySize } from './day/seed.ts';
export type { DayTruth } from './day/truth.ts';

export interface PaymentsSandboxOptions {
  /** Default 0: any free port. The server binds 127.0.0.1 only. */
  port?: number;
  /** SQLite file; default ':memory:'. */
  database?: string;
  merchants: readonly SandboxMerchant[];
  /** Records on a page; default 15, as published. */
  perPage?: number;
  /** Switches that differ from the published behaviour at the start. */
  behaviour?: Partial<Behaviour>;
  /** The clock for the tokens' lifetimes, milliseconds since 1970. */
  now?: () => number;
  /** The most bytes of cached answers; default 256 MiB. */
  cacheBytes?: number;
  /** Called with every request after its end. */
  onRequest?: (request: RecordedRequest) => void;
}

export type PaymentsSandbox = Awaited<ReturnType<typeof startPaymentsSandbox>>;

const DEFAULT_CACHE_BYTES = 268_435_456;

/**
 * Starts the payment service's sandbox. Rejects with a RangeError for merchants with the same code or a key that cannot
 * work, and for a page size below 1. Rejects with the system's error (`EADDRINUSE`, …) if it cannot listen.
 */
export async function startPaymentsSandbox(options: PaymentsSandboxOptions) {
  const { now = Date.now, perPage = 15 } = options;
  checkMerchants(options.merchants);
  // Copies, so that changes of credentials here do not change the caller's merchants.
  const merchants = options.merchants.map((merchant) => ({ ...merchant }));
  if (!Number.isSafeInteger(perPage) || perPage < 1) throw new RangeError('a page has at least one record');
  const behaviour = Object.assign(defaultBehaviour(), options.behaviour);
  const database = openDatabase(options.database ?? ':memory:');
  const store = createStore(database);
  const tokens = createTokens(behaviour, now);
  const ciphers = new Map(merchants.map(({ merchantCode, cipher }) => [merchantCode, cipher]));
  const requests: RecordedRequest[] = [];
  const closing = new AbortController();

  const service: Service = {
    origin: '',
    perPage,
    merchants,
    behaviour,
    data: createPaymentsData(database, store, merchants),
    store,
    listings: createListings(store),
    tokens,
    cipherOf(merchantCode) {
      const cipher = ciphers.get(merchantCode);
      if (cipher === undefined) throw new RangeError(`the sandbox has no merchant ${merchantCode}`);
      return cipher;
    },
  };

  const server = createPaymentsServer({
    service,
    answer: createOperations(service, options.cacheBytes ?? DEFAULT_CACHE_BYTES),
    requests,
    now,
    onRequest: options.onRequest,
    closing: closing.signal,
  });
  server.listen(options.port ?? 0, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    database.close();
    throw error;
  }
  let closed: Promise<void> | undefined;
  async function close(): Promise<void> {
    closing.abort();
    const over = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await over;
    database.close();
  }

  service.origin = `http://127.0.0.1:${portOf(server)}`;

  return {
    origin: service.origin,
    data: service.data,
    /** Switches to change at any time. The next request uses them. */
    behaviour,
    /** The requests in the order of arrival; at most the newest ten thousand. */
    requests,
    /** Gives a merchant another cipher for all later requests and answers. */
    rotate(merchantCode: string, cipher: SandboxCipher): void {
      checkCipher(cipher, `merchant ${merchantCode}`);
      service.cipherOf(merchantCode);
      ciphers.set(merchantCode, cipher);
    },
    /** Gives a merchant another access code or password. Issued tokens stay valid. */
    reissue(merchantCode: string, change: Partial<Pick<SandboxMerchant, 'accessCode' | 'password'>>): void {
      const merchant = merchants.find((candidate) => candidate.merchantCode === merchantCode);
      if (merchant === undefined) throw new RangeError(`the sandbox has no merchant ${merchantCode}`);
      Object.assign(merchant, change);
      checkMerchants(merchants);
    },
    /** Stops the server and closes all connections, also waiting ones. */
    close: (): Promise<void> => (closed ??= close()),
  };
}
