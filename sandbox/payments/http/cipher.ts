import { createCipheriv, createDecipheriv } from 'node:crypto';

/** A merchant's cipher: `key` is 32 and `iv` 16 bytes of UTF-8 text. Both are fixed for a merchant. */
export interface SandboxCipher {
  algorithm: 'aes-256-cbc';
  key: string;
  iv: string;
}

const LONGEST_PAD = 32;

/** Lowercase hexadecimal, of UTF-8. The service pads answers to blocks of 32 bytes; clients use PKCS#7, of 16. */
export function encrypt(text: string, cipher: SandboxCipher, padBlock: 16 | 32): string {
  const bytes = Buffer.from(text, 'utf8');
  const pad = padBlock - (bytes.length % padBlock);
  const encipher = createCipheriv(cipher.algorithm, cipher.key, cipher.iv).setAutoPadding(false);
  return (
    encipher.update(Buffer.concat([bytes, Buffer.alloc(pad, pad)]), undefined, 'hex') + encipher.final('hex')
  );
}

/** The text in `hex`; undefined if it is not lowercase hexadecimal, not whole blocks, wrongly padded or not UTF-8. */
export function decrypt(hex: string, cipher: SandboxCipher): string | undefined {
  if (!/^(?:[0-9a-f]{32})+$/.test(hex)) return undefined;
  const decipher = createDecipheriv(cipher.algorithm, cipher.key, cipher.iv).setAutoPadding(false);
  const bytes = Buffer.concat([decipher.update(hex, 'hex'), decipher.final()]);
  const pad = bytes.at(-1) ?? 0;
  if (pad < 1 || pad > LONGEST_PAD || pad > bytes.length) return undefined;
  if (!bytes.subarray(-pad).every((byte) => byte === pad)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, -pad));
  } catch {
    return undefined;
  }
}

/** Throws a RangeError with `owner`, never the key, if key and IV do not have the lengths of AES-256-CBC. */
export function checkCipher(cipher: SandboxCipher, owner: string): void {
  if (Buffer.byteLength(cipher.key) !== 32)
    throw new RangeError(`${owner}: the cipher's key is not 32 bytes long`);
  if (Buffer.byteLength(cipher.iv) !== 16)
    throw new RangeError(`${owner}: the cipher's IV is not 16 bytes long`);
}
