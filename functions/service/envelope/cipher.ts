import { isUtf8 } from 'node:buffer';
import { createCipheriv, createDecipheriv, createSecretKey } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import * as z from 'zod';
import { CipherError } from '../errors.ts';
import { freeMemory } from '../sending/answer-body.ts';

const BLOCK = 16;
const LONGEST_PAD = 32;
/** Digits that are decoded at once. An even number. */
const PIECE = 16 * 1024;

function bytesOf(length: number) {
  return z.string().refine((text) => Buffer.byteLength(text) === length, `must be ${length} bytes of UTF-8`);
}

export const cipherSettingsSchema = z.lazy(() =>
  z.object({
    algorithm: z.literal('aes-256-cbc').default('aes-256-cbc'),
    key: bytesOf(32),
    iv: bytesOf(BLOCK),
  }),
);
type CipherSettings = z.infer<typeof cipherSettingsSchema>;

/**
 * AES-256-CBC over UTF-8, one fixed IV per merchant, lowercase hexadecimal (docs/contract.md, 5.3 Encrypted
 * payloads). The service writes padding to blocks of 32 and accepts 16: any of 1 to 32 is read, PKCS#7
 * written.
 */
export class Cipher {
  readonly #algorithm: CipherSettings['algorithm'];
  readonly #key: KeyObject;
  readonly #iv: Buffer;
  #encrypted: Buffer = Buffer.alloc(0);

  constructor(settings: CipherSettings) {
    this.#algorithm = settings.algorithm;
    this.#key = createSecretKey(settings.key, 'utf8');
    this.#iv = Buffer.from(settings.iv, 'utf8');
  }

  encrypt(text: string): string {
    const cipher = createCipheriv(this.#algorithm, this.#key, this.#iv);
    return cipher.update(text, 'utf8', 'hex') + cipher.final('hex');
  }

  /** @throws {CipherError} with the reason, without key or text */
  decrypt(hex: string): string {
    return this.decrypted(Buffer.from(hex, 'utf8'), (text) => text.toString('utf8'));
  }

  /**
   * Decrypts digits that are not a string yet. As a string, a page's digits would make V8 mark its whole heap every few pages
   * (docs/adr/0028-one-way-for-a-row.md).
   * @param hex ASCII
   * @param use gets the text as bytes of UTF-8, which it cannot read after its end
   * @returns what `use` returns
   * @throws {CipherError} with the reason, without key or text
   */
  decrypted<T>(hex: Buffer, use: (text: Buffer) => T): T {
    const encrypted = this.#decoded(hex);
    if (encrypted.length === 0) throw new CipherError('it is empty');
    if (encrypted.length % BLOCK !== 0) throw new CipherError('its length is not a multiple of 16 bytes');
    const decipher = createDecipheriv(this.#algorithm, this.#key, this.#iv).setAutoPadding(false);
    const padded = decipher.update(encrypted);
    try {
      const text = withoutPad(padded);
      if (!isUtf8(text)) throw new CipherError('the decrypted bytes are not UTF-8');
      return use(text);
    } finally {
      freeMemory(padded);
    }
  }

  /** The bytes of the digits, valid until the next ones are decoded. */
  #decoded(hex: Buffer): Buffer {
    const length = Math.floor(hex.length / 2);
    if (this.#encrypted.length < length) this.#encrypted = Buffer.allocUnsafeSlow(length);
    for (let at = 0; at < hex.length; at += PIECE) {
      const piece = hex.toString('latin1', at, at + PIECE);
      // It stops silently at a character that is not a digit.
      const written = this.#encrypted.write(piece, at / 2, 'hex');
      if (written < Math.floor(piece.length / 2)) throw new CipherError('it is not hexadecimal');
    }
    if (hex.length % 2 !== 0) throw new CipherError('it has an odd number of hexadecimal digits');
    return this.#encrypted.subarray(0, length);
  }
}

function withoutPad(padded: Buffer): Buffer {
  const length = padded.at(-1) ?? 0;
  if (length === 0) throw new CipherError('the pad length is 0');
  if (length > LONGEST_PAD) throw new CipherError('the pad length is over 32');
  if (length > padded.length) throw new CipherError('the pad is longer than the text');
  const end = padded.length - length;
  for (let index = end; index < padded.length; index += 1) {
    if (padded[index] !== length) throw new CipherError('the pad bytes disagree');
  }
  return padded.subarray(0, end);
}
