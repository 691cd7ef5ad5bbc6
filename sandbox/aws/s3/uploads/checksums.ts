import { crc32 } from 'node:zlib';

/** The checksum that every SDK sends: CRC32, in base64. That of an object made of parts ends with `-<parts>`. */
export interface Checksum {
  value: string;
  type: 'FULL_OBJECT' | 'COMPOSITE';
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
