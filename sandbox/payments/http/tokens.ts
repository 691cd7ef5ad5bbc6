import { randomBytes } from 'node:crypto';
import type { Behaviour } from './behaviour.ts';

export type Tokens = ReturnType<typeof createTokens>;

interface AccessToken {
  merchantCode: string;
  diesAt: number;
  served: number;
}

/** Above this number, expired tokens are forgotten. */
const KEPT_TOKENS = 1_000;

/** Tokens are random: they do not depend on the seed. `now` gives milliseconds. */
export function createTokens(behaviour: Behaviour, now: () => number) {
  const access = new Map<string, AccessToken>();
  const refresh = new Map<string, string>();

  function forgetTheDead(): void {
    if (access.size < KEPT_TOKENS) return;
    for (const [token, { diesAt }] of access) if (diesAt <= now()) access.delete(token);
  }

  return {
    issue(merchantCode: string) {
      forgetTheDead();
      const accessToken = randomBytes(30).toString('base64url');
      const refreshToken = randomBytes(30).toString('base64url');
      const lifetime = behaviour.tokenLifetimeMilliseconds;
      access.set(accessToken, { merchantCode, diesAt: now() + lifetime, served: 0 });
      refresh.set(refreshToken, merchantCode);
      return {
        token_type: 'Bearer',
        /** Seconds. */
        expires_in: Math.floor(lifetime / 1000),
        access_token: accessToken,
        refresh_token: refreshToken,
      };
    },
    /** The merchant of a refresh token. The token can still be used. */
    ownerOf: (refreshToken: string) => refresh.get(refreshToken),
    /** The merchant of a refresh token. Each token works once. */
    redeem(refreshToken: string) {
      const merchantCode = refresh.get(refreshToken);
      refresh.delete(refreshToken);
      return merchantCode;
    },
    /** Counts a request with the token. @returns its merchant, or why the token is not valid */
    use(accessToken: string): { merchantCode: string } | { refusal: string } {
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
