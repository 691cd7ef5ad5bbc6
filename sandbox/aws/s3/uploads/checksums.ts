import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';

// The two checksums of S3 that Node does not have. Both are reflected, start with all ones, and are inverted at the end.

interface RunningChecksum {
  update: (chunk: Uint8Array) => void;
  digest: () => Buffer;
}

const castagnoli = 0x82f63b78;
const nvmeHigh = 0x9a6c9329;
const nvmeLow = 0xac4bc9b5;

const table32 = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ castagnoli : value >>> 1;
  return value;
});

/** CRC-32C of `chunk`, continued from the value `before`. */
function crc32c(chunk: Uint8Array, before = 0): number {
  let value = ~before;
  for (const byte of chunk) value = (value >>> 8) ^ (table32[(value ^ byte) & 255] ?? 0);
  return ~value >>> 0;
}

// 64 bits as two halves of 32, because BigInt would be about fifty times slower.
const tableHigh = new Uint32Array(256);
const tableLow = new Uint32Array(256);
for (let byte = 0; byte < 256; byte += 1) {
  let high = 0;
  let low = byte;
  for (let bit = 0; bit < 8; bit += 1) {
    const odd = low & 1;
    low = (low >>> 1) | (high << 31);
    high >>>= 1;
    if (odd) {
      low ^= nvmeLow;
      high ^= nvmeHigh;
    }
  }
  tableHigh[byte] = high;
  tableLow[byte] = low;
}

function crc64nvme(): RunningChecksum {
  let high = ~0;
  let low = ~0;
  return {
    update: (chunk) => {
      for (const byte of chunk) {
        const index = (low ^ byte) & 255;
        low = ((low >>> 8) | (high << 24)) ^ (tableLow[index] ?? 0);
        high = (high >>> 8) ^ (tableHigh[index] ?? 0);
      }
    },
    digest: () => {
      const bytes = Buffer.alloc(8);
      bytes.writeUInt32BE(~high >>> 0, 0);
      bytes.writeUInt32BE(~low >>> 0, 4);
      return bytes;
    },
  };
}

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
