import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LARGEST_SECRET, withEntry, withoutEntry } from '#bin/daybook/secret/stored-secret.ts';
import { rotatedEntry } from '#bin/daybook/secret/put.ts';
import { forAll } from '#support/assertions/for-all.ts';

const ENTRY = { accessCode: 'code', cipher: { key: 'k'.repeat(32), iv: 'i'.repeat(16) }, accessToken: 't' };
const OWN = { name: 'daybook/merchants', prefix: 'daybook/own/' };

function parsed(text: string): unknown {
  return JSON.parse(text);
}

describe('the text of a secret', () => {
  const entries = fc.dictionary(
    fc.stringMatching(/^[A-Za-z0-9-]{1,8}$/),
    fc.record({ password: fc.string() }),
  );

  it('has one entry more or another one, and all the rest as before', () =>
    forAll(
      [entries, fc.dictionary(fc.string(), fc.jsonValue()), fc.constantFrom(0, 2)],
      (merchants, others, indent) => {
        const secret = { ...others, merchants };
        const text = withEntry(JSON.stringify(secret, null, indent), '700001', ENTRY, OWN);
        expect(parsed(text)).toEqual(
          parsed(JSON.stringify({ ...secret, merchants: { ...merchants, 700001: ENTRY } })),
        );
        expect(parsed(withoutEntry(text, '700001', OWN))).toEqual(parsed(JSON.stringify(secret)));
      },
    ));

  it('begins empty', () => {
    expect(parsed(withEntry(undefined, '700001', ENTRY, OWN))).toEqual({ merchants: { 700001: ENTRY } });
    expect(parsed(withEntry('', '700001', ENTRY, OWN))).toEqual({ merchants: { 700001: ENTRY } });
  });

  it('is not edited when it is not certain what it says, and its values are in no error', () => {
    const values = 'S3cr3t-Value';
    for (const text of [
      `{"merchants":{"700002":{"password":"${values}"}`,
      `["${values}"]`,
      `{"merchants":"${values}"}`,
      `{"merchants":{"700002":{"password":"${values}","password":"${values}"}}}`,
    ]) {
      expect(() => withEntry(text, '700001', ENTRY, OWN)).toThrow(
        /^the secret daybook\/merchants (?!.*S3cr3t)/,
      );
    }
  });

  it('has room for 64 KiB, and its error says what to do', () => {
    const full = JSON.stringify({ merchants: { 700002: { note: 'x'.repeat(LARGEST_SECRET - 100) } } });
    expect(() => withEntry(full, '700001', ENTRY, OWN)).toThrow('--secret-id daybook/own/700001');
    expect(() => withEntry(full, '700001', ENTRY, { ...OWN, prefix: undefined })).toThrow(
      'credentials.prefix',
    );
    expect(
      Buffer.byteLength(withEntry(full.replace('x'.repeat(200), ''), '700001', ENTRY, OWN)),
    ).toBeLessThanOrEqual(LARGEST_SECRET);
  });
});

const cipher = { algorithm: 'aes-256-cbc', key: 'old key', iv: 'old iv' };
const CURRENT = { accessCode: 'code', cipher, username: 'user', password: 'old', note: 'of a person' };
const FRESH = { key: 'new key', iv: 'new iv' };

it('keeps the values that are replaced under previous, and nothing else', () => {
  expect(rotatedEntry(CURRENT, { cipher: FRESH })).toEqual({
    ...CURRENT,
    cipher: FRESH,
    previous: { cipher },
  });
  expect(rotatedEntry(CURRENT, { cipher: FRESH, password: 'new', accessCode: 'code' })).toEqual({
    ...CURRENT,
    cipher: FRESH,
    password: 'new',
    previous: { cipher, password: 'old' },
  });
});

it('has the previous values of the last rotation only', () => {
  const once = rotatedEntry(CURRENT, { password: 'new' });
  expect(rotatedEntry(once ?? {}, { cipher: FRESH })).toEqual({
    ...CURRENT,
    password: 'new',
    cipher: FRESH,
    previous: { cipher },
  });
});

it('ends the use of an access token when there is a new login', () => {
  const { accessCode } = CURRENT;
  expect(
    rotatedEntry({ accessCode, cipher, accessToken: 'token' }, { username: 'u', password: 'p' }),
  ).toEqual({
    accessCode,
    cipher,
    username: 'u',
    password: 'p',
    previous: { accessToken: 'token' },
  });
});
