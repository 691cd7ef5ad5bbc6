// The two checksums of S3 that Node does not have. Both are reflected, start with all ones, and are inverted at the end.

/** A checksum that is computed over a stream. */
export interface RunningChecksum {
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
export function crc32c(chunk: Uint8Array, before = 0): number {
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

/** CRC-64/NVME over a stream. */
export function crc64nvme(): RunningChecksum {
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
