import { expect, it } from 'vitest';
import { rotatedEntry } from '#bin/daybook/secret/put.ts';

const cipher = { algorithm: 'aes-256-cbc', key: 'old key', iv: 'old iv' };
const ENTRY = { accessCode: 'code', cipher, username: 'user', password: 'old', note: 'of a person' };
const fresh = { key: 'new key', iv: 'new iv' };

it('keeps the values that are replaced under previous, and nothing else', () => {
  expect(rotatedEntry(ENTRY, { cipher: fresh })).toEqual({ ...ENTRY, cipher: fresh, previous: { cipher } });
  expect(rotatedEntry(ENTRY, { cipher: fresh, password: 'new', accessCode: 'code' })).toEqual({
    ...ENTRY,
    cipher: fresh,
    password: 'new',
    previous: { cipher, password: 'old' },
  });
});

it('has the previous values of the last rotation only', () => {
  const once = rotatedEntry(ENTRY, { password: 'new' });
  expect(rotatedEntry(once ?? {}, { cipher: fresh })).toEqual({
    ...ENTRY,
    password: 'new',
    cipher: fresh,
    previous: { cipher },
  });
});

it('ends the use of an access token when there is a new login', () => {
  const { accessCode } = ENTRY;
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
