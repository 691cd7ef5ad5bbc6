import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { s3Errors } from '../errors.ts';

const uploadSchema = z.object({
  bucket: z.string(),
  key: z.string(),
  /** ISO 8601. */
  initiated: z.string(),
  /** The headers to store with the object. */
  headers: z.record(z.string(), z.string()),
  isChecked: z.boolean(),
});

const partSchema = z.object({
  number: z.number(),
  size: z.number(),
  /** Lowercase hexadecimal. It is the part's ETag. */
  md5: z.string(),
  checksum: z.object({ value: z.string() }).optional(),
  /** ISO 8601. */
  modified: z.string(),
});

/** An unfinished multipart upload. */
export type Upload = z.infer<typeof uploadSchema>;
/** A completed upload. Its id is answered for as long as its object exists. */
interface CompletedUpload {
  bucket: string;
  key: string;
  etag: string;
}

/** A received part; the newest one with its number. */
export type Part = z.infer<typeof partSchema>;

/** The unfinished uploads. Each is a directory with a description, the parts, and a description of every part. */
export class UploadFiles {
  readonly #directory: string;
  readonly #completed = new Map<string, CompletedUpload>();

  constructor(directory: string) {
    this.#directory = directory;
  }

  create(upload: Upload): string {
    const id = randomUUID().replaceAll('-', '');
    mkdirSync(join(this.#directory, id), { recursive: true });
    writeFileSync(this.#path(id, 'upload.json'), JSON.stringify(upload));
    return id;
  }

  /** @throws ServiceError NoSuchUpload for an id that is unknown, ended, or of another key */
  get(id: string, bucket: string, key: string): Upload {
    const known = /^[0-9a-f]{32}$/.test(id) && existsSync(this.#path(id, 'upload.json'));
    const upload = known ? this.#read(id) : undefined;
    if (upload?.bucket !== bucket || upload.key !== key) throw s3Errors.noSuchUpload(id);
    return upload;
  }

  /** The uploads of a bucket, sorted by key, then by start. */
  list(bucket: string): (Upload & { id: string })[] {
    return readdirSync(this.#directory)
      .map((id) => ({ id, ...this.#read(id) }))
      .filter((upload) => upload.bucket === bucket)
      .sort((a, b) => Buffer.compare(sortKey(a), sortKey(b)));
  }

  /** Moves a received file into the upload as a part. It replaces an older part with the same number. */
  placePart(id: string, received: string, part: Part): void {
    renameSync(received, this.partPath(id, part.number));
    writeFileSync(this.#path(id, `${part.number}.json`), JSON.stringify(part));
  }

  /** Sorted by number. */
  parts(id: string): Part[] {
    return readdirSync(join(this.#directory, id))
      .filter((name) => /^\d+\.json$/.test(name))
      .map((name) => partSchema.parse(JSON.parse(readFileSync(this.#path(id, name), 'utf8'))))
      .sort((a, b) => a.number - b.number);
  }

  partPath(id: string, number: number): string {
    return this.#path(id, `${number}.part`);
  }

  complete(id: string, upload: CompletedUpload): void {
    this.#completed.set(id, upload);
    this.remove(id);
  }

  /** The ETag of a completed upload's object; `undefined` for any other upload. */
  completedEtag(id: string, bucket: string, key: string): string | undefined {
    const upload = this.#completed.get(id);
    return upload?.bucket === bucket && upload.key === key ? upload.etag : undefined;
  }

  remove(id: string): void {
    rmSync(join(this.#directory, id), { recursive: true, force: true });
  }

  #read(id: string): Upload {
    return uploadSchema.parse(JSON.parse(readFileSync(this.#path(id, 'upload.json'), 'utf8')));
  }

  #path(id: string, name: string): string {
    return join(this.#directory, id, name);
  }
}

function sortKey({ key, initiated }: Upload): Buffer {
  return Buffer.from(`${key}\0${initiated}`);
}
