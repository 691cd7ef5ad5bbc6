import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { crc32c, crc64nvme } from './crc.ts';
import type { RunningChecksum } from './crc.ts';

/** The checksums that the sandbox verifies, by their names in the API. */
export const checksumAlgorithms = ['CRC32', 'CRC32C', 'CRC64NVME', 'SHA1', 'SHA256'] as const;
export type ChecksumAlgorithm = (typeof checksumAlgorithms)[number];

/** A checksum as S3 stores it. `value` is base64; a composite one ends with `-<parts>`. */
export interface Checksum {
  algorithm: ChecksumAlgorithm;
  value: string;
  type: 'FULL_OBJECT' | 'COMPOSITE';
}

/** Names such as `x-amz-checksum-crc32`. */
export function checksumHeader(algorithm: ChecksumAlgorithm): string {
  return `x-amz-checksum-${algorithm.toLowerCase()}`;
}

/** The headers with an object's checksum; none if it has none. */
export function checksumHeaders(checksum: Checksum | undefined): Record<string, string> {
  if (checksum === undefined) return {};
  return { [checksumHeader(checksum.algorithm)]: checksum.value, 'x-amz-checksum-type': checksum.type };
}

export function startChecksum(algorithm: ChecksumAlgorithm): RunningChecksum {
  switch (algorithm) {
    case 'CRC32':
      return running32(crc32);
    case 'CRC32C':
      return running32(crc32c);
    case 'CRC64NVME':
      return crc64nvme();
    case 'SHA1':
    case 'SHA256': {
      const hash = createHash(algorithm);
      return {
        update: (chunk) => {
          hash.update(chunk);
        },
        digest: () => hash.digest(),
      };
    }
  }
}

/** S3's checksum for an object that was written with one request. */
export function wholeChecksum(algorithm: ChecksumAlgorithm, bytes: Uint8Array): Checksum {
  const checksum = startChecksum(algorithm);
  checksum.update(bytes);
  return { algorithm, value: checksum.digest().toString('base64'), type: 'FULL_OBJECT' };
}

/** S3's checksum for an object made of parts: the checksum of the parts' digests, in their order. */
export function compositeChecksum(algorithm: ChecksumAlgorithm, parts: readonly string[]): Checksum {
  const checksum = startChecksum(algorithm);
  for (const part of parts) checksum.update(Buffer.from(part, 'base64'));
  return { algorithm, value: `${checksum.digest().toString('base64')}-${parts.length}`, type: 'COMPOSITE' };
}

function running32(compute: (chunk: Uint8Array, before: number) => number): RunningChecksum {
  let value = 0;
  return {
    update: (chunk) => {
      value = compute(chunk, value);
    },
    digest: () => {
      const bytes = Buffer.alloc(4);
      bytes.writeUInt32BE(value);
      return bytes;
    },
  };
}
