import { randomBytes } from 'node:crypto';
import type { Behaviour } from './behaviour.ts';

interface IssuedToken {
  token_type: 'Bearer';
  /** Seconds. */
  expires_in: number;
  access_token: string;
  refresh_token: string;
}

export interface Tokens {
  issue(merchantCode: string): IssuedToken;
  /** The merchant of a refresh token. The token can still be used. */
  ownerOf(refreshToken: string): string | undefined;
  /** The merchant of a refresh token. Each token works once. */
  redeem(refreshToken: string): string | undefined;
  /** Counts a request with the token. @returns its merchant, or why the token is not valid */
  use(accessToken: string): { merchantCode: string } | { refusal: string };
}

interface AccessToken {
  merchantCode: string;
  diesAt: number;
  served: number;
}

/** Above this number, expired tokens are forgotten. */
const KEPT_TOKENS = 1_000;

/** Tokens are random: they do not depend on the seed. `now` gives milliseconds. */
export function createTokens(behaviour: Behaviour, now: () => number): Tokens {
  const access = new Map<string, AccessToken>();
  const refresh = new Map<string, string>();

  function forgetTheDead(): void {
    if (access.size < KEPT_TOKENS) return;
    for (const [token, { diesAt }] of access) if (diesAt <= now()) access.delete(token);
  }

  return {
    issue(merchantCode) {
      forgetTheDead();
      const accessToken = randomBytes(30).toString('base64url');
      const refreshToken = randomBytes(30).toString('base64url');
      const lifetime = behaviour.tokenLifetimeMilliseconds;
      access.set(accessToken, { merchantCode, diesAt: now() + lifetime, served: 0 });
      refresh.set(refreshToken, merchantCode);
      return {
        token_type: 'Bearer',
        expires_in: Math.floor(lifetime / 1000),
        access_token: accessToken,
        refresh_token: refreshToken,
      };
    },
    ownerOf: (refreshToken) => refresh.get(refreshToken),
    redeem(refreshToken) {
      const merchantCode = refresh.get(refreshToken);
      refresh.delete(refreshToken);
      return merchantCode;
    },
    use(accessToken) {
      const token = access.get(accessToken);
      if (token === undefined) return { refusal: 'the access token is unknown' };
      if (token.diesAt <= now()) return { refusal: 'the access token has expired' };
      if (behaviour.tokenDiesEvery !== null && token.served >= behaviour.tokenDiesEvery) {
        return { refusal: `the access token died after ${token.served} requests` };
      }
      token.served += 1;
      return { merchantCode: token.merchantCode };
    },
  };
}
