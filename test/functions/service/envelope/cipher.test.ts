import { createCipheriv } from 'node:crypto';
import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { Cipher, cipherSettingsSchema } from '#service/envelope/cipher.ts';
import { textLike } from '#support/assertions/index.ts';

const vectorFile = z.object({
  key: z.string(),
  iv: z.string(),
  vectors: z.array(
    z.object({ plaintext: z.string(), padBlock: z.union([z.literal(16), z.literal(32)]), hex: z.string() }),
  ),
  rejects: z.array(z.object({ why: z.string(), hex: z.string() })),
});
const { key, iv, vectors, rejects } = vectorFile.parse(
  JSON.parse(readFileSync(new URL('../../../vectors/cipher.json', import.meta.url), 'utf8')),
);
const SETTINGS = { algorithm: 'aes-256-cbc', key, iv } as const;
const cipher = new Cipher(SETTINGS);

/** What the file of vectors says of a rejected text, in the words of the error. */
const WORDS: Record<string, string> = {
  'odd number of hex digits': 'it has an odd number of hexadecimal digits',
  'not hexadecimal': 'it is not hexadecimal',
  'not a multiple of 16 bytes': 'its length is not a multiple of 16 bytes',
  empty: 'it is empty',
  'pad bytes disagree': 'the pad bytes disagree',
  'pad length 0': 'the pad length is 0',
  'pad length over 32': 'the pad length is over 32',
};

/** The text does not decrypt, for this reason. */
function expectRefused(hex: string, why: unknown): void {
  expect(() => cipher.decrypt(hex)).toThrow(expect.objectContaining({ name: 'CipherError', why }));
}

/** Encrypts bytes without padding. They must be a whole number of blocks. */
function sealed(bytes: Buffer): string {
  const encipher = createCipheriv('aes-256-cbc', key, iv).setAutoPadding(false);
  return encipher.update(bytes, undefined, 'hex') + encipher.final('hex');
}

describe('the vectors of OpenSSL', () => {
  it.each(vectors)('decrypts $plaintext, padded to blocks of $padBlock', ({ plaintext, hex }) => {
    expect(cipher.decrypt(hex)).toBe(plaintext);
  });

  it.each(vectors.filter(({ padBlock }) => padBlock === 16))(
    'encrypts $plaintext to the same',
    ({ plaintext, hex }) => {
      expect(cipher.encrypt(plaintext)).toBe(hex);
    },
  );

  it.each(rejects)('rejects a text: $why', ({ why, hex }) => {
    expectRefused(hex, WORDS[why] ?? textLike(/./));
  });
});

describe('decrypt', () => {
  it('reads every pad length from 1 to 32', () => {
    for (let pad = 1; pad <= 32; pad += 1) {
      const plain = 'x'.repeat(32 - pad);
      expect(cipher.decrypt(sealed(Buffer.concat([Buffer.from(plain), Buffer.alloc(pad, pad)])))).toBe(plain);
    }
  });

  it('rejects a pad that is longer than the text, and bytes that are not UTF-8', () => {
    expectRefused(sealed(Buffer.alloc(16, 17)), 'the pad is longer than the text');
    const bytes = Buffer.concat([Buffer.from([0xc3, 0x28]), Buffer.alloc(14, 14)]);
    expectRefused(sealed(bytes), 'the decrypted bytes are not UTF-8');
  });

  it.each(['šš', '１２', '4 ', '0x', 'g0', '\u0100\u0130'])(
    'does not accept %j as hexadecimal digits',
    (digits) => {
      expectRefused(digits.repeat(16), 'it is not hexadecimal');
    },
  );
});

it('the settings of a cipher are those of the secret, and count bytes, so 16 Arabic letters are a key', () => {
  expect(cipherSettingsSchema.parse({ key, iv })).toEqual(SETTINGS);
  const other = new Cipher(cipherSettingsSchema.parse({ key: 'ش'.repeat(16), iv }));
  expect(other.decrypt(other.encrypt('{}').toUpperCase())).toBe('{}');
});
