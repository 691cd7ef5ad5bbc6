import type * as z from 'zod';
import type { ServiceSettings } from '#registry/registry-schema.ts';
import { CredentialChain } from './authentication/credentials.ts';
import type { MerchantCredentials, SecretReader } from './authentication/credentials.ts';
import { Session } from './authentication/session.ts';
import type { AccessToken, TokenCache } from './authentication/token-cache.ts';
import { Cipher } from './envelope/cipher.ts';
import { openAnswer, responseAs } from './envelope/envelope.ts';
import type { Opening } from './envelope/envelope.ts';
import {
  CipherError,
  ForbiddenError,
  InvalidRequestError,
  LoginRefusedError,
  NotFoundError,
  ContractError,
} from './errors.ts';
import type { Turn } from './in-order.ts';
import type { AnswerRoom, SenderOptions } from './sending/sender.ts';
import { NoRoomError, Sender, Slots } from './sending/sender.ts';
import { assertServiceAllowed } from '#registry/service-origin.ts';
import type { Integer } from '#records/json/exact-json.ts';
import { integerText } from '#records/json/exact-json.ts';
import { shownStep } from '#records/json/repeated-names.ts';
import type { JsonStep } from '#records/json/repeated-names.ts';

interface RecordPlace {
  at: readonly string[];
  /** Gets the field of each name that appears twice in a record, such as `transaction.paid_on`. */
  repeated: (field: string) => void;
}

function recordField(path: readonly JsonStep[], at: readonly string[]): string | undefined {
  if (!at.every((name, index) => path[index] === name)) return undefined;
  const inner = path.slice(at.length);
  const steps = typeof inner[0] === 'number' ? inner.slice(1) : inner;
  // The list itself is not a record.
  if (steps.length === 0 || (at.length > 0 && steps.length === inner.length)) return undefined;
  return steps
    .filter((step) => typeof step === 'string')
    .map(shownStep)
    .join('.');
}

function withoutLeadingZeros(text: string): string {
  return /^\d+$/.test(text) ? text.replace(/^0+(?=\d)/, '') : text;
}

/**
 * The merchant by `merchant_id` of every record, a string in invoices and an integer in refunds
 * (docs/contract.md, 2.3 Invoice record and 2.4 Refund record). A record with another id than the others is
 * refused.
 */
class MerchantIdentity {
  #id: string | null = null;

  /** `null` until a record has shown it. */
  get id(): string | null {
    return this.#id;
  }

  /** As it is known. Another text may still be the same id: see {@link check}. */
  isOwn(merchantId: string | Integer): boolean {
    return merchantId === this.#id;
  }

  /** @throws {ContractError} with the field, without either id */
  check(operation: string, path: string, merchantId: string | Integer): void {
    const text = typeof merchantId === 'string' ? merchantId : integerText(merchantId);
    // It would not tell merchants apart.
    if (text === '') throw new ContractError({ operation }, path, 'must be the id of the merchant');
    const id = withoutLeadingZeros(text);
    this.#id ??= id;
    if (id === this.#id) return;
    throw new ContractError({ operation }, path, "is not that of the merchant's other records");
  }

  /** @throws {ContractError} when records with another id were already read */
  expect(id: string | null): void {
    if (id !== null) this.check('what was read so far', 'merchant_id', id);
  }
}

/** Times in milliseconds. */
export interface PaymentsClientOptions extends SenderOptions {
  merchantCode: string;
  /** The origins that requests may go to, whatever the registry says. */
  allowedOrigins: readonly string[];
  secret: SecretReader;
  /** Left out: the client logs in. */
  tokens?: TokenCache | undefined;
}

/** One read of the service. `query` is sent beside `data` (docs/contract.md, 4 Endpoints). */
export interface ReadRequest<T> {
  operation: string;
  path: string;
  query: Record<string, string>;
  schema: z.ZodType<T>;
  /** Where the answer has records. Names that appear twice in a record are reported and not refused. */
  records?: RecordPlace;
  /** Resolves when nothing else is held: a large answer waits for it. Left out: nothing else is requested. */
  turn?: Turn;
}

/** After this many refusals with fresh tokens, a request is refused for what it asks. */
const MOST_REFUSALS = 6;

/** Whether other credentials may help. */
function isCredentialFailure(error: unknown): boolean {
  return (
    error instanceof CipherError ||
    error instanceof InvalidRequestError ||
    error instanceof LoginRefusedError ||
    error instanceof ForbiddenError
  );
}

/**
 * Reads the payment service for one merchant and one pull (docs/contract.md, 4 Endpoints), with one token,
 * limit and deadline for all requests. {@link close} ends what is under way.
 */
export class PaymentsClient {
  /** The merchant of the records. Every reader of records compares them with it. */
  readonly identity = new MerchantIdentity();
  readonly #options: PaymentsClientOptions;
  readonly #credentials: CredentialChain;
  readonly #sender: Sender;
  readonly #session: Session;
  /** Runs the retries of refused requests one at a time. */
  readonly #refused = new Slots(1);
  readonly #ciphers = new Map<MerchantCredentials, { cipher: Cipher; data: string }>();

  /** @throws {ForbiddenOriginError} when the registry names an address outside the allowed origins */
  constructor(options: PaymentsClientOptions) {
    assertServiceAllowed(options.service, options.allowedOrigins);
    this.#options = options;
    this.#credentials = new CredentialChain(options.secret);
    this.#sender = new Sender(options);
    const { baseUrl: at, loginPath: login, refreshPath: refresh } = options.service;
    this.#session = new Session(this.#sender, { at, login, refresh }, options.now, options.tokens);
  }

  get service(): ServiceSettings {
    return this.#options.service;
  }

  /** How many answers may be on their way or wait for their turn. All of them are in memory. */
  get window(): number {
    return this.#sender.window;
  }

  close(): void {
    this.#sender.close();
  }

  /**
   * Reads one resource (docs/contract.md, 4 Endpoints and 5 Authentication).
   * @throws {PaymentsError} by class, after retries
   * @throws {CipherError} when no known credentials decrypt the answer
   */
  async read<T>(request: ReadRequest<T>): Promise<T> {
    const { turn, ...alone } = request;
    try {
      return await this.#readWhole(request);
    } catch (error) {
      if (turn === undefined || !(error instanceof NoRoomError)) throw error;
      await turn();
      return await this.#readWhole(alone);
    }
  }

  async #readWhole<T>(request: ReadRequest<T>): Promise<T> {
    let firstFailure: unknown;
    for (;;) {
      const credentials = await this.#credentials.current();
      try {
        return await this.#readWith(request, credentials);
      } catch (error) {
        if (!isCredentialFailure(error)) throw error;
        // The first failure came with the credentials in use, so it is the one to report.
        firstFailure ??= error;
        if (!(await this.#hasOthers(credentials))) throw firstFailure;
      }
    }
  }

  async #readWith<T>(request: ReadRequest<T>, credentials: MerchantCredentials): Promise<T> {
    try {
      return await this.#sender.retried(() => this.#readOnce(request, credentials));
    } catch (error) {
      if (!(error instanceof TokenRefused)) throw error;
      // One at a time: all at once could use up a token that serves only a few requests.
      return await this.#refused.run(() => this.#readAgain(request, credentials, error));
    }
  }

  async #readAgain<T>(
    request: ReadRequest<T>,
    credentials: MerchantCredentials,
    firstRefusal: TokenRefused,
  ): Promise<T> {
    let refused = firstRefusal;
    for (let refusals = 1; ; refusals += 1) {
      // The credentials failed while this request waited. Another login with them would fail too.
      if ((await this.#credentials.current()) !== credentials) throw refused.refusal;
      await this.#session.refused(refused.token, credentials, refused.refusal);
      try {
        return await this.#sender.retried(() => this.#readOnce(request, credentials));
      } catch (error) {
        if (!(error instanceof TokenRefused)) throw error;
        if (refusals >= MOST_REFUSALS) throw error.refusal;
        refused = error;
      }
    }
  }

  async #hasOthers(failed: MerchantCredentials): Promise<boolean> {
    try {
      return (await this.#credentials.after(failed)) !== undefined;
    } catch {
      // The failure to read the secret again must not hide the first failure.
      return false;
    }
  }

  async #readOnce<T>(request: ReadRequest<T>, credentials: MerchantCredentials): Promise<T> {
    const { cipher, data } = this.#cipherOf(credentials);
    const token = await this.#session.token(credentials);
    const url = `${this.#sender.urlOf(request.path)}?${new URLSearchParams({ ...request.query, data }).toString()}`;
    const headers = {
      accept: 'application/json',
      'content-type': 'application/json',
      authorization: `Bearer ${token.value}`,
      accessCode: credentials.accessCode,
    };
    token.inFlight += 1;
    let served = false;
    try {
      const sent = { operation: request.operation, method: 'GET', url, headers } as const;
      const isAlone = request.turn === undefined;
      const { exchange, response } = await this.#sender.send(sent, isAlone, (answer, room) => ({
        exchange: answer.exchange,
        response: openAnswer(answer, cipher, this.#options.now(), this.#opening(request.records, room)),
      }));
      served = true;
      return responseAs(request.schema, response, exchange);
    } catch (error) {
      served ||= error instanceof NotFoundError;
      throw error instanceof ForbiddenError ? new TokenRefused(token, error) : error;
    } finally {
      this.#session.ended(token, served);
    }
  }

  #opening(records: RecordPlace | undefined, room: AnswerRoom): Opening {
    return {
      room: room.parsed,
      sized: (bytes) => this.#sender.noteParsed(bytes),
      repeated: (path) => {
        const field = records === undefined ? undefined : recordField(path, records.at);
        if (field !== undefined) records?.repeated(field);
        return field !== undefined;
      },
    };
  }

  #cipherOf(credentials: MerchantCredentials): { cipher: Cipher; data: string } {
    let known = this.#ciphers.get(credentials);
    if (known === undefined) {
      const cipher = new Cipher(credentials.cipher);
      const payload = JSON.stringify({ merchantCode: this.#options.merchantCode });
      known = { cipher, data: cipher.encrypt(payload) };
      this.#ciphers.set(credentials, known);
    }
    return known;
  }
}

class TokenRefused extends Error {
  readonly token: AccessToken;
  readonly refusal: ForbiddenError;
  constructor(token: AccessToken, refusal: ForbiddenError) {
    super(refusal.message);
    this.token = token;
    this.refusal = refusal;
  }
}
