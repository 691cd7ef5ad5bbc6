import { createHash } from 'node:crypto';
import {
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod';

export const attributesSchema = z.object({
  /** Without quotes. */
  etag: z.string(),
  md5: z.string(),
  /** The headers stored with the object: content-type, content-encoding, x-amz-meta-…, in lower case. */
  headers: z.record(z.string(), z.string()),
  checksum: z
    .object({
      value: z.string(),
      type: z.enum(['FULL_OBJECT', 'COMPOSITE']),
    })
    .optional(),
  /** Where the sandbox keeps versions. */
  versionId: z.string().optional(),
});

const sidecarSchema = z.object({
  key: z.string(),
  /** Size and time of the file that the attributes belong to. */
  stamp: z.string(),
  attributes: attributesSchema,
});

/** What S3 stores of an object besides its bytes. */
export type Attributes = z.infer<typeof attributesSchema>;
type Sidecar = z.infer<typeof sidecarSchema>;

/**
 * The attributes of the objects: one file each, in a directory outside the readable tree, named by a hash of the key. Only
 * the files of the tree decide which objects exist. If a person added or edited a file, or copied it without its time, its
 * stamp does not fit. Then it gets attributes that fit its bytes.
 */
export class Sidecars {
  readonly #directory: string;
  // Only this process writes them, so a file that was read or written once need not be read again.
  readonly #known = new Map<string, Sidecar>();

  constructor(directory: string) {
    this.#directory = directory;
  }

  read(bucket: string, key: string, path: string, stamp: string): Attributes {
    const file = this.#file(bucket, key);
    const kept = this.#known.get(file) ?? readSidecar(file);
    if (kept?.stamp === stamp) {
      this.#known.set(file, kept);
      return kept.attributes;
    }
    const md5 = md5OfFile(path);
    const attributes = kept?.attributes.md5 === md5 ? kept.attributes : { etag: md5, md5, headers: {} };
    this.write(bucket, key, stamp, attributes);
    return attributes;
  }

  write(bucket: string, key: string, stamp: string, attributes: Attributes): void {
    const file = this.#file(bucket, key);
    const sidecar: Sidecar = { key, stamp, attributes };
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(`${file}.new`, JSON.stringify(sidecar));
    renameSync(`${file}.new`, file);
    this.#known.set(file, sidecar);
  }

  remove(bucket: string, key: string): void {
    const file = this.#file(bucket, key);
    rmSync(file, { force: true });
    this.#known.delete(file);
  }

  #file(bucket: string, key: string): string {
    return join(this.#directory, bucket, `${createHash('sha256').update(key).digest('hex')}.json`);
  }
}

function readSidecar(file: string): Sidecar | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
  return sidecarSchema.parse(JSON.parse(text));
}

function md5OfFile(path: string): string {
  const hash = createHash('md5');
  const piece = Buffer.alloc(1 << 20);
  const file = openSync(path, 'r');
  try {
    for (let read = readSync(file, piece); read > 0; read = readSync(file, piece)) {
      hash.update(piece.subarray(0, read));
    }
  } finally {
    closeSync(file);
  }
  return hash.digest('hex');
}
