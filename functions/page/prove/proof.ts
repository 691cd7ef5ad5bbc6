import { createPublicKey, hash, verify } from 'node:crypto';
import * as z from 'zod';
import { daySchema } from '#records/day/business-day.ts';

/* What a proof is, and what it proves (docs/proofs.md). Signer and verifier share it. */

/** In hexadecimal digits. */
export function sha256(bytes: string | Uint8Array): string {
  return hash('sha256', bytes);
}

/** The text of a leaf, as `sha256sum` writes it. @param digest the SHA-256 (hex) of the object's bytes */
export function pageLine(key: string, digest: string): string {
  return `${digest}  ${key}`;
}

/** RFC 6962, 2.1: without the first byte, a node could pass for a leaf. */
function leafHash(line: string): string {
  return sha256(`\0${line}`);
}

function nodeHash(left: string, right: string): string {
  return sha256(Buffer.from(`01${left}${right}`, 'hex'));
}

/** The largest power of two below the number of a tree's leaves: so many are left of its root. */
function leftOf(size: number): number {
  return 2 ** Math.ceil(Math.log2(size) - 1);
}

/**
 * The Merkle tree over these lines in their order (hex).
 * @param at the line from which the path leads to the root @returns `path`: the hashes beside it, the lowest first
 */
export function merkleTree(lines: readonly string[], at = 0): { root: string; path: string[] } {
  const [first] = lines;
  if (lines.length <= 1) return { root: first === undefined ? sha256('') : leafHash(first), path: [] };
  const size = leftOf(lines.length);
  const left = merkleTree(lines.slice(0, size), at);
  const right = merkleTree(lines.slice(size), at - size);
  const path = at < size ? [...left.path, right.root] : [...right.path, left.root];
  return { root: nodeHash(left.root, right.root), path };
}

/** The root to which a path leads from a line; `undefined` when the path does not fit a tree of that size. */
export function rootByPath(
  line: string,
  { index, size, path }: { index: number; size: number; path: readonly string[] },
): string | undefined {
  if (index < 0 || index >= size) return undefined;
  if (size === 1) return path.length === 0 ? leafHash(line) : undefined;
  const left = leftOf(size);
  const isLeft = index < left;
  const below = isLeft ? { index, size: left } : { index: index - left, size: size - left };
  const hash = rootByPath(line, { ...below, path: path.slice(0, -1) });
  const beside = path.at(-1);
  if (hash === undefined || beside === undefined) return undefined;
  return isLeft ? nodeHash(hash, beside) : nodeHash(beside, hash);
}

export const hashSchema = z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in hexadecimal');

/** As bytes are written: other unused bits in the last symbol would say the same bytes in another text. */
export const base64Schema = z
  .base64()
  .refine((text) => Buffer.from(text, 'base64').toString('base64') === text, 'has another last symbol');

/** The order of the members is that of the signed text (docs/interfaces.md, 6 Objects). */
export const proofSchema = z.strictObject({
  /** The UTC date on which it was made. */
  date: daySchema,
  root: hashSchema,
  /** The proof before: its date, and the SHA-256 of the object's bytes. `null` for the first. */
  previous: z.strictObject({ date: daySchema, sha256: hashSchema }).nullable(),
  /** How many pages it has. */
  pages: z.int().min(0),
  /** Every page that was sealed until then is in this proof or an earlier one (ISO 8601, UTC). */
  until: z.iso.datetime(),
  algorithm: z.literal('ECDSA_SHA_256'),
  /** The ARN of the key in KMS. */
  keyId: z.string(),
  /** DER, base64. */
  publicKey: base64Schema,
  /** Of the text of everything above, DER, base64. */
  signature: base64Schema,
});
export type Proof = z.infer<typeof proofSchema>;

export function signedText(proof: Omit<Proof, 'signature'>): string {
  return JSON.stringify({ ...proof, signature: undefined });
}

/** The bytes of an object, by which the next proof names the one before it. */
export function lineOf(value: object): string {
  return `${JSON.stringify(value)}\n`;
}

/** Whether the key that the proof names has signed it. */
export function isSigned(proof: Proof): boolean {
  const { publicKey, signature } = proof;
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' });
    return verify('sha256', Buffer.from(signedText(proof)), key, Buffer.from(signature, 'base64'));
  } catch {
    // The key is none.
    return false;
  }
}

/** What a text says, `undefined` when it is not byte for byte as {@link lineOf} writes it: even a blank is a change. */
export function readLine<T extends object>(schema: z.ZodType<T>, text: string): T | undefined {
  try {
    const value = schema.parse(JSON.parse(text));
    return lineOf(value) === text ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A proof, `undefined` when the text is not byte for byte as one is written. */
export function readProof(text: string): Proof | undefined {
  return readLine(proofSchema, text);
}

/** The key's name in KMS, where no other name says which key a stage has. */
export function keyAlias(stage: string): string {
  return `alias/daybook-${stage}-proofs`;
}
