import { describe, expect, it } from 'vitest';
import type { MerchantCredentials } from '#service/authentication/credentials.ts';
import { ForbiddenError, ServerError } from '#service/errors.ts';
import { Session, type PostJson } from '#service/authentication/session.ts';
import { TokenCache, type AccessToken } from '#service/authentication/token-cache.ts';

const CREDENTIALS: MerchantCredentials = {
  accessCode: 'code',
  cipher: { algorithm: 'aes-256-cbc', key: 'k'.repeat(32), iv: 'i'.repeat(16) },
  username: 'u',
  password: 'p',
};
const PATHS = { at: 'https://pay.example.com', login: '/login', refresh: '/refresh' };
const REFUSAL = new ForbiddenError({ operation: 'invoice list', status: 401 }, 'refused');

/** A session and the requests that it made. Tokens are `t1`, `t2`, … unless `answer` says otherwise. */
function newSession(answer: (operation: string, number: number) => string | Error = () => '') {
  const posts: { operation: string; path: string; body: Record<string, string>; attempts: string }[] = [];
  const tokens = new TokenCache();
  const post: PostJson = async (operation, path, body, attempts, read) => {
    posts.push({ operation, path, body, attempts });
    const number = posts.length;
    await Promise.resolve();
    const given = answer(operation, number);
    if (given instanceof Error) throw given;
    const token = { access_token: `t${number}`, refresh_token: `r${number}` };
    const text = given === '' ? JSON.stringify({ status: true, response: { token } }) : given;
    return read({
      exchange: { operation, status: 200 },
      retryAfter: null,
      contentType: undefined,
      body: Buffer.from(text),
      giveBack: () => undefined,
    });
  };
  const open = (paths = PATHS) => new Session({ post }, paths, () => 0, tokens);
  return { session: open(), open, posts };
}

/** A request with the token, which ends at once. */
function use(session: Session, token: AccessToken, served: boolean): void {
  token.inFlight += 1;
  session.ended(token, served);
}

describe('a session', () => {
  it('begins with a token that an earlier session has used, and replaces it when it has expired', async () => {
    const { session, open, posts } = newSession();
    use(session, await session.token(CREDENTIALS), true);
    const later = open();
    const token = await later.token(CREDENTIALS);
    expect(token.value).toBe('t1');
    await later.refused(token, CREDENTIALS, REFUSAL);
    expect((await later.token(CREDENTIALS)).value).toBe('t2');
    expect(posts.map(({ operation }) => operation)).toEqual(['login', 'token refresh']);
  });

  it('keeps no token that never served, and none for other credentials or another service', async () => {
    const { session, open, posts } = newSession();
    use(session, await session.token(CREDENTIALS), false);
    await open().token(CREDENTIALS);
    use(session, await session.token(CREDENTIALS), true);
    await open().token({ ...CREDENTIALS, password: 'other' });
    await open({ ...PATHS, at: 'https://other.example.com' }).token(CREDENTIALS);
    expect(posts.map(({ operation }) => operation)).toEqual(['login', 'login', 'login', 'login']);
    expect((await open().token(CREDENTIALS)).value).toBe('t1');
    expect(posts).toHaveLength(4);
  });

  it('waits for requests in flight before it decides that a token never worked', async () => {
    const { session } = newSession();
    const token = await session.token(CREDENTIALS);
    token.inFlight += 1;
    const refused = session.refused(token, CREDENTIALS, REFUSAL);
    session.ended(token, true);
    await refused;
    expect((await session.token(CREDENTIALS)).value).toBe('t2');
  });

  it('does not keep a failed login', async () => {
    const { session } = newSession((_operation, number) =>
      number === 1 ? new ServerError({ operation: 'login', status: 500 }, 'failed') : '',
    );
    await expect(session.token(CREDENTIALS)).rejects.toThrow(ServerError);
    expect((await session.token(CREDENTIALS)).value).toBe('t2');
  });
});
