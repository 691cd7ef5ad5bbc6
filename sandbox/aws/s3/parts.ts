import { crc32 } from 'node:zlib';

/** The checksum that every SDK sends: CRC32, in base64. That of an object made of parts ends with `-<parts>`. */
export interface Checksum {
  value: string;
  type: 'FULL_OBJECT' | 'COMPOSITE';
}

/** A received part; the newest one with its number. Its bytes are in the file at `path`. */
export interface Part {
  path: string;
  size: number;
  /** Lowercase hexadecimal. It is the part's ETag. */
  md5: string;
  checksum: Checksum | undefined;
}

export interface Upload {
  bucket: string;
  key: string;
  initiated: Date;
  /** The headers to store with the object. */
  headers: Record<string, string>;
  isChecked: boolean;
  /** By their numbers. */
  parts: Map<number, Part>;
  /** The ETag of its object, when it is complete. */
  etag?: string;
}

export const CRC32_HEADER = 'x-amz-checksum-crc32';

export function checksumHeaders(checksum: Checksum | undefined): Record<string, string> {
  if (checksum === undefined) return {};
  return { [CRC32_HEADER]: checksum.value, 'x-amz-checksum-type': checksum.type };
}

/** A CRC32 in base64. */
export function crc32Text(value: number): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes.toString('base64');
}

/** S3's checksum for an object made of parts: that of the parts' digests, in their order. */
export function compositeChecksum(parts: readonly string[]): Checksum {
  const digests = Buffer.concat(parts.map((part) => Buffer.from(part, 'base64')));
  return { value: `${crc32Text(crc32(digests))}-${parts.length}`, type: 'COMPOSITE' };
}
