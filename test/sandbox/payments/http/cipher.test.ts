import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { decrypt, encrypt, type SandboxCipher } from '#sandbox/payments/http/cipher.ts';
import * as z from 'zod';

const vectorsSchema = z.object({
  key: z.string(),
  iv: z.string(),
  vectors: z.array(
    z.object({ plaintext: z.string(), padBlock: z.union([z.literal(16), z.literal(32)]), hex: z.string() }),
  ),
  rejects: z.array(z.object({ why: z.string(), hex: z.string() })),
});

const file = new URL('../../../vectors/cipher.json', import.meta.url);
const { key, iv, vectors, rejects } = vectorsSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
const cipher: SandboxCipher = { algorithm: 'aes-256-cbc', key, iv };

describe('the cipher, compared with vectors made with OpenSSL', () => {
  it.each(vectors)('writes $plaintext in blocks of $padBlock', ({ plaintext, padBlock, hex }) => {
    expect(encrypt(plaintext, cipher, padBlock)).toBe(hex);
  });

  it.each(vectors)('reads $plaintext in blocks of $padBlock', ({ plaintext, hex }) => {
    expect(decrypt(hex, cipher)).toBe(plaintext);
  });

  it.each(rejects)('does not read a wrong text: $why', ({ hex }) => {
    expect(decrypt(hex, cipher)).toBeUndefined();
  });

  it('does not read a text that is not UTF-8', () => {
    const other = { ...cipher, iv: 'é'.repeat(8) };
    expect(decrypt(encrypt('{"merchantCode":"700001"}', cipher, 16), other)).toBeUndefined();
  });
});
