import { assert, describe, expect, it } from 'vitest';
import { SecretError, readSecretEntry } from '#service/authentication/credentials.ts';

const CIPHER = { algorithm: 'aes-256-cbc', key: 'k'.repeat(32), iv: 'i'.repeat(16) };
const ENTRY = { accessCode: 'code-1', cipher: CIPHER, username: 'u', password: 'p' };

function read(entry: unknown, merchantCode = '700001') {
  return readSecretEntry(
    JSON.stringify({ merchants: { '700001': entry } }),
    merchantCode,
    'daybook/merchants',
  );
}

function failureOf(text: string): SecretError {
  try {
    readSecretEntry(text, '700001', 'daybook/merchants');
  } catch (error) {
    if (error instanceof SecretError) return error;
    throw error;
  }
  throw new Error('the secret should be unusable');
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
    const text = JSON.stringify({
      merchants: { '700002': 'canary', '700001': { ...ENTRY, note: 'x' } },
      other: 1,
    });
    expect(readSecretEntry(text, '700001', 's').current).toEqual(ENTRY);
  });

  it.each([
    ['', 'secret daybook/merchants: is not JSON'],
    ['{"canary', 'secret daybook/merchants: is not JSON'],
    ['"canary"', 'secret daybook/merchants: has no member "merchants"'],
    ['{"merchants":["canary"]}', 'secret daybook/merchants: has no member "merchants"'],
    ['{"merchants":{"canary":{}}}', 'secret daybook/merchants: has no merchant 700001'],
    ['{"merchants":{"700001":null}}', 'secret daybook/merchants: merchants.700001'],
  ])('names the error of %j and nothing more', (text, message) => {
    expect(failureOf(text).message).toContain(message);
    expect(failureOf(text).message).not.toContain('canary');
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['no access code', { accessCode: undefined }, 'merchants.700001.accessCode: must be string'],
    [
      'an access code that is no header',
      { accessCode: 'canary\r\nX: y' },
      'merchants.700001.accessCode: must be printable ASCII without blanks',
    ],
    [
      'a short key',
      { cipher: { ...CIPHER, key: 'canary' } },
      'merchants.700001.cipher.key: must be 32 bytes of UTF-8',
    ],
    [
      'a long IV',
      { cipher: { ...CIPHER, iv: 'canary canary canary' } },
      'merchants.700001.cipher.iv: must be 16 bytes of UTF-8',
    ],
    [
      'another algorithm',
      { cipher: { ...CIPHER, algorithm: 'canary' } },
      'merchants.700001.cipher.algorithm: must be one of aes-256-cbc',
    ],
    ['no cipher', { cipher: undefined }, 'merchants.700001.cipher: must be object'],
    ['an empty password', { password: '' }, 'merchants.700001.password: is out of bounds (at least 1)'],
    [
      'no password',
      { password: undefined },
      'merchants.700001: needs an accessToken, or a username and a password',
    ],
    [
      'a token that is no header',
      { accessToken: 'canary canary' },
      'merchants.700001.accessToken: must be printable ASCII without blanks',
    ],
    [
      'a bad previous one',
      { previous: { cipher: { key: 'canary' } } },
      'merchants.700001.previous.cipher.key: must be 32 bytes of UTF-8',
    ],
  ])('names the member if an entry has %s', (_what, change, message) => {
    const text = JSON.stringify({ merchants: { '700001': { ...ENTRY, ...change } } });
    expect(failureOf(text).message).toBe(`secret daybook/merchants: ${message}`);
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
    expect(read({ ...rest, accessToken: 'token', previous: { username } }).previous?.accessToken).toBe(
      'token',
    );
  });

  it.each(['constructor', '__proto__', 'toString'])(
    'reports that there is no merchant %s',
    (merchantCode) => {
      expect(() => read(ENTRY, merchantCode)).toThrow(`has no merchant ${merchantCode}`);
    },
  );
});
