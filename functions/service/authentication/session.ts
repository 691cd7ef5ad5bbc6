import * as z from 'zod';
import type { MerchantCredentials } from './credentials.ts';
import { openAnswer, responseAs } from '../envelope/envelope.ts';
import { ForbiddenError, LoginRefusedError, NotFoundError, RefusedError } from '../errors.ts';
import type { Exchange, PaymentsError } from '../errors.ts';
import type { HttpAnswer } from '../sending/transport.ts';
import { TokenCache } from './token-cache.ts';
import type { AccessToken } from './token-cache.ts';

const tokenSchema = z.object({
  token: z.object({
    access_token: z.string().regex(/^[\x21-\x7e]+$/, 'must be printable ASCII without blanks'),
    // Without one that can be read, a new login follows.
    refresh_token: z.unknown().optional(),
  }),
});

/** Posts a body of plain JSON and reads the answer with `open`, `once` or with the sender's retries. */
export type PostJson = <T>(
  operation: string,
  path: string,
  body: Record<string, string>,
  attempts: 'once' | 'retried',
  open: (answer: HttpAnswer) => T,
) => Promise<T>;

function exchangeOf({ operation, status }: PaymentsError): Exchange {
  return status === undefined ? { operation } : { operation, status };
}

/**
 * The access token of one merchant (docs/contract.md, 5.1 Access token). One that was accepted and is then
 * refused has expired, and is replaced once for all requests. One never accepted is wrong, and so would be a
 * new one.
 */
export class Session {
  readonly #sender: { post: PostJson };
  readonly #paths: { at: string; login: string; refresh: string };
  readonly #now: () => number;
  readonly #tokens: TokenCache;
  #credentials: MerchantCredentials | undefined;
  #token: Promise<AccessToken> | undefined;
  #current: AccessToken | undefined;
  #waiting: (() => void)[] = [];

  /** @param paths `at` is the address that they are below */
  constructor(
    sender: { post: PostJson },
    paths: { at: string; login: string; refresh: string },
    now: () => number,
    tokens = new TokenCache(),
  ) {
    this.#sender = sender;
    this.#paths = paths;
    this.#now = now;
    this.#tokens = tokens;
  }

  token(credentials: MerchantCredentials): Promise<AccessToken> {
    if (this.#token !== undefined && this.#credentials === credentials) return this.#token;
    this.#credentials = credentials;
    const kept = this.#tokens.get(this.#loginOf(credentials));
    return this.#replace(
      kept === undefined ? this.#logIn(credentials) : Promise.resolve({ ...kept, inFlight: 0 }),
    );
  }

  #loginOf({ username, password, accessToken }: MerchantCredentials): string {
    return JSON.stringify([this.#paths.at, this.#paths.login, username, password, accessToken]);
  }

  /** @param served the service accepted the token, whatever it answered */
  ended(token: AccessToken, served: boolean): void {
    token.inFlight -= 1;
    if (served && !token.served) {
      token.served = true;
      if (this.#credentials !== undefined && this.#current === token) {
        this.#tokens.keep(this.#loginOf(this.#credentials), token);
      }
    }
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const look of waiting) look();
  }

  /** Resolves when there is another token. @throws {ForbiddenError} the refusal, when a new one would not help */
  async refused(
    token: AccessToken,
    credentials: MerchantCredentials,
    refusal: ForbiddenError,
  ): Promise<void> {
    // Answers may come in another order: an earlier request with the same token may still succeed.
    while (!token.served && token.inFlight > 0) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    const replaced = this.#credentials !== credentials || this.#current !== token;
    if (replaced) return;
    if (!token.served || credentials.accessToken !== undefined) throw refusal;
    this.#tokens.drop(this.#loginOf(credentials));
    await this.#replace(this.#renew(token, credentials));
  }

  #replace(token: Promise<AccessToken>): Promise<AccessToken> {
    this.#token = token;
    this.#current = undefined;
    token.then(
      (got) => {
        if (this.#token === token) this.#current = got;
      },
      () => {
        // A failed login must not be kept as the token.
        if (this.#token === token) this.#token = undefined;
      },
    );
    return token;
  }

  async #renew(token: AccessToken, credentials: MerchantCredentials): Promise<AccessToken> {
    if (token.refreshToken === undefined) return this.#logIn(credentials);
    try {
      return await this.#ask(
        'token refresh',
        this.#paths.refresh,
        { refreshToken: token.refreshToken },
        'once',
      );
    } catch {
      // Refresh tokens expire too, and work once. Whatever is wrong with this one, the user name still works.
      return this.#logIn(credentials);
    }
  }

  async #logIn(credentials: MerchantCredentials): Promise<AccessToken> {
    const { username, password, accessToken } = credentials;
    if (accessToken !== undefined || username === undefined || password === undefined) {
      return { value: accessToken ?? '', refreshToken: undefined, served: false, inFlight: 0 };
    }
    try {
      return await this.#ask('login', this.#paths.login, { username, password }, 'retried');
    } catch (error) {
      if (error instanceof ForbiddenError)
        throw new LoginRefusedError(exchangeOf(error), 'the service refuses the login');
      // Otherwise this could look like the answer to the read request: "no such refund".
      if (error instanceof NotFoundError)
        throw new RefusedError(exchangeOf(error), 'the service has no such login path');
      throw error;
    }
  }

  #ask(
    operation: string,
    path: string,
    body: Record<string, string>,
    attempts: 'once' | 'retried',
  ): Promise<AccessToken> {
    return this.#sender.post(operation, path, body, attempts, (answer) => {
      const response = openAnswer(answer, undefined, this.#now());
      const { access_token, refresh_token } = responseAs(tokenSchema, response, answer.exchange).token;
      const refreshToken =
        typeof refresh_token === 'string' && refresh_token !== '' ? refresh_token : undefined;
      return { value: access_token, refreshToken, served: false, inFlight: 0 };
    });
  }
}
