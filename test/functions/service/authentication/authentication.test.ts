import { setImmediate as nextTurn } from 'node:timers/promises';
import { CredentialChain, readSecretEntry, SecretError } from '#service/authentication/credentials.ts';
import type { MerchantCredentials } from '#service/authentication/credentials.ts';
import { Session, type PostJson } from '#service/authentication/session.ts';
import { TokenCache, type AccessToken } from '#service/authentication/token-cache.ts';
import { ForbiddenError, ServerError } from '#service/errors.ts';
import { textWith } from '#support/assertions/index.ts';
import { RecordedSecret } from '#support/payments/running-service.ts';

const CIPHER = { algorithm: 'aes-256-cbc', key: 'k'.repeat(32), iv: 'i'.repeat(16) } as const;
const ENTRY: MerchantCredentials = { accessCode: 'code-1', cipher: CIPHER, username: 'u', password: 'p' };

function read(entry: unknown, merchantCode = '700001') {
  const text = JSON.stringify({ merchants: { '700001': entry } });
  return readSecretEntry(text, merchantCode, 'daybook/merchants');
}

describe('readSecretEntry', () => {
  it('returns the merchant’s credentials, with the only algorithm when none is given', () => {
    expect(read(ENTRY)).toEqual({ current: ENTRY, previous: undefined });
    const { algorithm: _algorithm, ...cipher } = CIPHER;
    expect(read({ ...ENTRY, cipher })).toEqual(read(ENTRY));
  });

  it('accepts an access token in place of user name and password', () => {
    const entry = { accessCode: 'code-1', cipher: CIPHER, accessToken: 'a.b-c' };
    expect(read(entry).current).toEqual(entry);
  });

  it('puts the members of "previous" over the others', () => {
    const previous = { cipher: { ...CIPHER, key: 'o'.repeat(32) } };
    expect(read({ ...ENTRY, previous })).toEqual({ current: ENTRY, previous: { ...ENTRY, ...previous } });
  });

  it('ignores other merchants’ entries and unknown members', () => {
    const merchants = { '700002': 'canary', '700001': { ...ENTRY, note: 'x' } };
    expect(readSecretEntry(JSON.stringify({ merchants, other: 1 }), '700001', 's').current).toEqual(ENTRY);
  });

  it.each([
    ['', 'secret daybook/merchants: is not JSON'],
    ['{"canary', 'secret daybook/merchants: is not JSON'],
    ['"canary"', 'secret daybook/merchants: has no member "merchants"'],
    ['{"merchants":["canary"]}', 'secret daybook/merchants: has no member "merchants"'],
    ['{"merchants":{"canary":{}}}', 'secret daybook/merchants: has no merchant 700001'],
    ['{"merchants":{"700001":null}}', 'secret daybook/merchants: merchants.700001'],
  ])('names the error of %j and nothing more', (text, message) => {
    const reading = () => readSecretEntry(text, '700001', 'daybook/merchants');
    expect(reading).toThrow(expect.objectContaining({ name: 'SecretError', message: textWith(message) }));
    expect(reading).not.toThrow('canary');
  });

  const ASCII = 'must be printable ASCII without blanks';
  const KEY = 'must be 32 bytes of UTF-8';
  const ALGORITHM = 'must be one of aes-256-cbc';
  it.each<[string, Record<string, unknown>, string]>([
    ['no access code', { accessCode: undefined }, '.accessCode: must be string'],
    ['an access code that is no header', { accessCode: 'canary\r\nX: y' }, `.accessCode: ${ASCII}`],
    ['a short key', { cipher: { ...CIPHER, key: 'canary' } }, `.cipher.key: ${KEY}`],
    [
      'a long IV',
      { cipher: { ...CIPHER, iv: 'canary '.repeat(3) } },
      '.cipher.iv: must be 16 bytes of UTF-8',
    ],
    ['another algorithm', { cipher: { ...CIPHER, algorithm: 'canary' } }, `.cipher.algorithm: ${ALGORITHM}`],
    ['no cipher', { cipher: undefined }, '.cipher: must be object'],
    ['an empty password', { password: '' }, '.password: is out of bounds (at least 1)'],
    ['no password', { password: undefined }, ': needs an accessToken, or a username and a password'],
    ['a token that is no header', { accessToken: 'canary canary' }, `.accessToken: ${ASCII}`],
    ['a bad previous one', { previous: { cipher: { key: 'canary' } } }, `.previous.cipher.key: ${KEY}`],
  ])('names the member if an entry has %s', (_what, change, message) => {
    const error = new SecretError(`secret daybook/merchants: merchants.700001${message}`);
    expect(() => read({ ...ENTRY, ...change })).toThrow(error);
  });

  it('logs in with a previous user name and password if a token has replaced them', () => {
    const { username, password, ...rest } = ENTRY;
    const before = { username, password };
    const { current, previous } = read({ ...rest, accessToken: 'token', previous: before });
    assert.exists(previous);
    expect(current.accessToken).toBe('token');
    expect(previous).toMatchObject(before);
    expect(previous.accessToken).toBeUndefined();
    // With only half a login there is no previous login to use.
    const half = read({ ...rest, accessToken: 'token', previous: { username } });
    expect(half.previous?.accessToken).toBe('token');
  });

  it.each(['constructor', '__proto__', 'toString'])('reports that there is no merchant %s', (code) => {
    expect(() => read(ENTRY, code)).toThrow(`has no merchant ${code}`);
  });

  const entry = (key: string) =>
    JSON.stringify({ accessCode: 'a', accessToken: 't', cipher: { ...CIPHER, key: key.repeat(32) } });
  it.each([
    ['merchants.700001', `{"merchants":{"700001":${entry('k')},"700001":${entry('l')}}}`],
    ['merchants', `{"merchants":{},"merchants":{"700001":${entry('k')}}}`],
    [
      'merchants.700001.accessCode',
      `{"merchants":{"700001":${entry('k').replace('{', '{"accessCode":"b",')}}}`,
    ],
  ])('names a key that appears twice: %s', (path, text) => {
    expect(() => readSecretEntry(text, '700001', 'one')).toThrow(`secret one: ${path}: appears twice`);
  });

  it('is not affected by a key that appears twice for other merchants', () => {
    const text = `{"merchants":{"2":${entry('k')},"2":${entry('l')},"700001":${entry('m')}}}`;
    expect(readSecretEntry(text, '700001', 'one').current.cipher.key).toBe('m'.repeat(32));
  });
});

const named = (accessCode: string): MerchantCredentials => ({ ...ENTRY, accessCode });

/** A chain for a secret, and the names of the credentials that it gives until there are no more. */
async function namesOf(secret: RecordedSecret): Promise<string[]> {
  const chain = new CredentialChain(secret);
  const names: string[] = [];
  let next: MerchantCredentials | undefined = await chain.current();
  while (next !== undefined) {
    names.push(next.accessCode);
    next = await chain.after(next);
  }
  return names;
}

describe('CredentialChain', () => {
  it('goes from the cache to the secret, then to its "previous", then to the version before the rotation', async () => {
    const secret = new RecordedSecret(named('stored'), named('previous'));
    secret.cached = { current: named('cached'), previous: undefined };
    secret.beforeLastRotation = { current: named('before rotation'), previous: undefined };
    expect(await namesOf(secret)).toEqual(['cached', 'stored', 'previous', 'before rotation']);
    expect(secret.reads).toEqual(['cached', 'fresh', 'before rotation']);
  });

  it('tries no credentials twice', async () => {
    const secret = new RecordedSecret(named('same'), named('same'));
    secret.beforeLastRotation = { current: named('same'), previous: undefined };
    expect(await namesOf(secret)).toEqual(['same']);
  });

  it('reads nothing more when all credentials have been tried', async () => {
    const secret = new RecordedSecret(named('current'));
    const chain = new CredentialChain(secret);
    const failed = await chain.current();
    expect(await chain.after(failed)).toBeUndefined();
    await nextTurn();
    expect(await chain.after(failed)).toBeUndefined();
    expect(secret.reads).toEqual(['cached', 'fresh', 'before rotation']);
  });
});

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
    use(session, await session.token(ENTRY), true);
    const later = open();
    const token = await later.token(ENTRY);
    expect(token.value).toBe('t1');
    await later.refused(token, ENTRY, REFUSAL);
    expect((await later.token(ENTRY)).value).toBe('t2');
    expect(posts.map(({ operation }) => operation)).toEqual(['login', 'token refresh']);
  });

  it('keeps no token that never served, and none for other credentials or another service', async () => {
    const { session, open, posts } = newSession();
    use(session, await session.token(ENTRY), false);
    await open().token(ENTRY);
    use(session, await session.token(ENTRY), true);
    await open().token({ ...ENTRY, password: 'other' });
    await open({ ...PATHS, at: 'https://other.example.com' }).token(ENTRY);
    expect(posts.map(({ operation }) => operation)).toEqual(['login', 'login', 'login', 'login']);
    expect((await open().token(ENTRY)).value).toBe('t1');
    expect(posts).toHaveLength(4);
  });

  it('waits for requests in flight before it decides that a token never worked', async () => {
    const { session } = newSession();
    const token = await session.token(ENTRY);
    token.inFlight += 1;
    const refused = session.refused(token, ENTRY, REFUSAL);
    session.ended(token, true);
    await refused;
    expect((await session.token(ENTRY)).value).toBe('t2');
  });

  it('does not keep a failed login', async () => {
    const { session } = newSession((_operation, number) =>
      number === 1 ? new ServerError({ operation: 'login', status: 500 }, 'failed') : '',
    );
    await expect(session.token(ENTRY)).rejects.toThrow(ServerError);
    expect((await session.token(ENTRY)).value).toBe('t2');
  });
});
