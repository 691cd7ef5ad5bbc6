import { LARGEST_SECRET, withEntry, withoutEntry } from '#bin/daybook/secret/stored-secret.ts';
import { rotatedEntry } from '#bin/daybook/secret/put.ts';
import { fc, forAll } from '#support/assertions/index.ts';

const ENTRY = { accessCode: 'code', cipher: { key: 'k'.repeat(32), iv: 'i'.repeat(16) }, accessToken: 't' };
const OWN: { name: string; prefix: string | undefined } = {
  name: 'daybook/merchants',
  prefix: 'daybook/own/',
};

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
        const after = { ...secret, merchants: { ...merchants, 700001: ENTRY } };
        expect(parsed(text)).toEqual(parsed(JSON.stringify(after)));
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
      const edit = () => withEntry(text, '700001', ENTRY, OWN);
      expect(edit).toThrow(/^the secret daybook\/merchants (?!.*S3cr3t)/);
    }
  });

  it('has room for 64 KiB, and its error says what to do', () => {
    const full = JSON.stringify({ merchants: { 700002: { note: 'x'.repeat(LARGEST_SECRET - 100) } } });
    const edit = (text: string, place = OWN) => withEntry(text, '700001', ENTRY, place);
    expect(() => edit(full)).toThrow('--secret-id daybook/own/700001');
    expect(() => edit(full, { ...OWN, prefix: undefined })).toThrow('credentials.prefix');
    const bytes = Buffer.byteLength(edit(full.replace('x'.repeat(200), '')));
    expect(bytes).toBeLessThanOrEqual(LARGEST_SECRET);
  });
});

const cipher = { algorithm: 'aes-256-cbc', key: 'old key', iv: 'old iv' };
const CURRENT = { accessCode: 'code', cipher, username: 'user', password: 'old', note: 'of a person' };
const FRESH = { key: 'new key', iv: 'new iv' };

it.each([
  [{ cipher: FRESH }, { previous: { cipher } }],
  [{ cipher: FRESH, password: 'new', accessCode: 'code' }, { previous: { cipher, password: 'old' } }],
])('keeps the values that are replaced under previous, and nothing else: %j', (input, previous) => {
  expect(rotatedEntry(CURRENT, input)).toEqual({ ...CURRENT, ...input, ...previous });
});

it('has the previous values of the last rotation only', () => {
  const once = { ...CURRENT, password: 'new' };
  expect(rotatedEntry(CURRENT, { password: 'new' })).toEqual({ ...once, previous: { password: 'old' } });
  const twice = rotatedEntry({ ...once, previous: { password: 'old' } }, { cipher: FRESH });
  expect(twice).toEqual({ ...once, cipher: FRESH, previous: { cipher } });
});

it('ends the use of an access token when there is a new login', () => {
  const { accessCode } = CURRENT;
  const login = { username: 'u', password: 'p' };
  const rotated = { accessCode, cipher, ...login, previous: { accessToken: 'token' } };
  expect(rotatedEntry({ accessCode, cipher, accessToken: 'token' }, login)).toEqual(rotated);
});
