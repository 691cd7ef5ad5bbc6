import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { attributesSchema, type Attributes } from './sidecar.ts';

const formerSchema = z.object({
  key: z.string(),
  versionId: z.string(),
  modified: z.coerce.date(),
  size: z.int(),
  /** Left out of a delete marker. */
  attributes: attributesSchema.optional(),
});

/** A version that another one, or a delete marker, has replaced. Or such a marker. */
export type FormerVersion = z.infer<typeof formerSchema>;

/** The id of an object that was written without versions, as S3 has it. */
export const NO_VERSION = 'null';

interface PresentObject {
  key: string;
  path: string;
  size: number;
  modified: Date;
  attributes: Attributes;
}

/** The former versions of each key: one directory for each, with their files and a list, the newest first. */
export class FormerVersions {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** The keys of a bucket that have any, in no order. */
  keys(bucket: string): string[] {
    const directory = join(this.#directory, bucket);
    try {
      return readdirSync(directory).flatMap((name) => readList(join(directory, name))[0]?.key ?? []);
    } catch {
      return [];
    }
  }

  of(bucket: string, key: string): FormerVersion[] {
    return readList(this.#place(bucket, key));
  }

  path(bucket: string, { key, versionId }: FormerVersion): string {
    return join(this.#place(bucket, key), versionId);
  }

  /** Takes the file of an object, which is replaced or removed. */
  keep(bucket: string, { key, path, size, modified, attributes }: PresentObject): void {
    const { versionId = NO_VERSION } = attributes;
    const kept = { key, versionId, modified, size, attributes };
    this.#add(bucket, kept);
    renameSync(path, this.path(bucket, kept));
  }

  mark(bucket: string, key: string, versionId: string, modified: Date): void {
    this.#add(bucket, { key, versionId, modified, size: 0 });
  }

  /** Forgets a version for ever, and its bytes if they are still here. */
  remove(bucket: string, version: FormerVersion): void {
    const place = this.#place(bucket, version.key);
    rmSync(this.path(bucket, version), { force: true });
    const others = readList(place).filter(({ versionId }) => versionId !== version.versionId);
    if (others.length === 0) rmSync(place, { recursive: true });
    else writeFileSync(join(place, 'list.json'), JSON.stringify(others));
  }

  #add(bucket: string, version: FormerVersion): void {
    const place = this.#place(bucket, version.key);
    mkdirSync(place, { recursive: true });
    const others = readList(place).filter(({ versionId }) => versionId !== version.versionId);
    writeFileSync(join(place, 'list.json'), JSON.stringify([version, ...others]));
  }

  #place(bucket: string, key: string): string {
    return join(this.#directory, bucket, createHash('sha256').update(key).digest('hex'));
  }
}

function readList(place: string): FormerVersion[] {
  let text: string;
  try {
    text = readFileSync(join(place, 'list.json'), 'utf8');
  } catch {
    return [];
  }
  return z.array(formerSchema).parse(JSON.parse(text));
}
