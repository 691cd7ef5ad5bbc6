export interface AccessToken {
  readonly value: string;
  readonly refreshToken: string | undefined;
  served: boolean;
  inFlight: number;
}

/** Merchants whose token is kept. */
const MOST_TOKENS = 1_000;

/** Tokens that the service has accepted, so that the next read of a merchant in this process needs no login. */
export class TokenCache {
  /** By credentials and where they log in, the one that was used longest ago first. */
  readonly #tokens = new Map<string, AccessToken>();

  get(login: string): AccessToken | undefined {
    return this.#tokens.get(login);
  }

  keep(login: string, token: AccessToken): void {
    this.drop(login);
    this.#tokens.set(login, token);
    const [oldest = login] = this.#tokens.keys();
    if (this.#tokens.size > MOST_TOKENS) this.drop(oldest);
  }

  drop(login: string): void {
    this.#tokens.delete(login);
  }
}
