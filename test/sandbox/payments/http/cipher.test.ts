import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { decrypt, encrypt, type SandboxCipher } from '#sandbox/payments/http/cipher.ts';

interface Vectors {
  key: string;
  iv: string;
  vectors: { plaintext: string; padBlock: 16 | 32; hex: string }[];
  rejects: { why: string; hex: string }[];
}

const file = new URL('../../../vectors/cipher.json', import.meta.url);
const { key, iv, vectors, rejects } = JSON.parse(readFileSync(file, 'utf8')) as Vectors;
const cipher: SandboxCipher = { algorithm: 'aes-256-cbc', key, iv };

describe('the cipher, against vectors made with OpenSSL', () => {
  it.each(vectors)('writes $plaintext in blocks of $padBlock', ({ plaintext, padBlock, hex }) => {
    expect(encrypt(plaintext, cipher, padBlock)).toBe(hex);
  });

  it.each(vectors)('reads $plaintext in blocks of $padBlock', ({ plaintext, hex }) => {
    expect(decrypt(hex, cipher)).toBe(plaintext);
  });

  it.each(rejects)('does not read what is wrong: $why', ({ hex }) => {
    expect(decrypt(hex, cipher)).toBeUndefined();
  });

  it('does not read what is not UTF-8', () => {
    const other = { ...cipher, iv: 'é'.repeat(8) };
    expect(decrypt(encrypt('{"merchantCode":"700001"}', cipher, 16), other)).toBeUndefined();
  });
});
