import { assert, describe, expect, it } from 'vitest';
import { SecretError, readSecretEntry } from '#service/authentication/credentials.ts';
import { textWith } from '#support/assertions/text-with.ts';

const CIPHER = { algorithm: 'aes-256-cbc', key: 'k'.repeat(32), iv: 'i'.repeat(16) };
const ENTRY = { accessCode: 'code-1', cipher: CIPHER, username: 'u', password: 'p' };

function read(entry: unknown, merchantCode = '700001') {
  const text = JSON.stringify({ merchants: { '700001': entry } });
  return readSecretEntry(text, merchantCode, 'daybook/merchants');
}

describe('readSecretEntry', () => {
  it('returns the merchant’s credentials', () => {
    expect(read(ENTRY)).toEqual({ current: ENTRY, previous: undefined });
  });

  it('uses the only algorithm when none is given', () => {
    const { algorithm: _algorithm, ...cipher } = CIPHER;
    expect(read({ ...ENTRY, cipher }).current.cipher).toEqual(CIPHER);
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
  it.each<[string, Record<string, unknown>, string]>([
    ['no access code', { accessCode: undefined }, '.accessCode: must be string'],
    ['an access code that is no header', { accessCode: 'canary\r\nX: y' }, `.accessCode: ${ASCII}`],
    ['a short key', { cipher: { ...CIPHER, key: 'canary' } }, `.cipher.key: ${KEY}`],
    [
      'a long IV',
      { cipher: { ...CIPHER, iv: 'canary '.repeat(3) } },
      '.cipher.iv: must be 16 bytes of UTF-8',
    ],
    [
      'another algorithm',
      { cipher: { ...CIPHER, algorithm: 'canary' } },
      '.cipher.algorithm: must be one of aes-256-cbc',
    ],
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
});
