import { Readable } from 'node:stream';
import { HeadObjectCommand, NotFound } from '@aws-sdk/client-s3';
import { BucketStore } from '#runtime/bucket-store.ts';
import { pageKey, type PagePlace } from '#records/storage/keys.ts';
import type { FileFormat } from './link-tokens.ts';

/** Such as `links/days/day=2026-11-20/merchant=700001/r0001.csv`: the key of the page, and the file's own ending. */
export function linkedFileKey(place: PagePlace, format: FileFormat): string {
  return `links/${pageKey(place).replace(/json$/, format)}`;
}

export interface LinkedFile {
  filename: string;
  contentType: string;
  rows: number;
  /** In one piece, or as it is made. */
  content: Uint8Array | AsyncIterable<string>;
}

/** A file by its name in any script. RFC 6266: programs that do not know the second name take the first. */
function dispositionOf(filename: string): string {
  const plain = filename.replaceAll(/[^\w.-]+/g, '-');
  const escaped = (sign: string) => `%${sign.charCodeAt(0).toString(16)}`;
  const named = encodeURIComponent(filename).replaceAll(/['()*]/g, escaped);
  return `attachment; filename="${plain}"; filename*=UTF-8''${named}`;
}

/** The files that mails link, under `links/` in the data bucket. */
export class LinkedFiles extends BucketStore {
  /** Replaces what was stored of that page. */
  async store(
    place: PagePlace,
    format: FileFormat,
    { filename, contentType, rows, content }: LinkedFile,
  ): Promise<void> {
    const { Upload } = await import('#runtime/upload.ts');
    await new Upload({
      client: this.s3,
      params: {
        Bucket: this.bucket,
        Key: linkedFileKey(place, format),
        Body: content instanceof Uint8Array ? content : Readable.from(content, { objectMode: false }),
        ContentType: contentType,
        ContentDisposition: dispositionOf(filename),
        Metadata: { rows: rows.toString(), name: encodeURIComponent(filename) },
      },
    }).done();
  }

  /** `undefined` when it is not, or no longer, kept. */
  async look(place: PagePlace, format: FileFormat) {
    const command = new HeadObjectCommand({ Bucket: this.bucket, Key: linkedFileKey(place, format) });
    try {
      const { ContentLength: bytes = 0, Metadata: { rows, name = '' } = {} } = await this.s3.send(command);
      return { filename: decodeURIComponent(name), rows: Number(rows), bytes };
    } catch (error) {
      if (error instanceof NotFound) return undefined;
      throw error;
    }
  }
}
