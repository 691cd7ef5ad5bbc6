import type { Format, Table } from '#domain/revision/manifest.ts';

/** A finished spool file: gzip, with the hash (SHA-256, hex) and the size in bytes of the packed file. */
export interface SpooledFile {
  table: Table;
  format: Format;
  /** A small file is in memory, a larger one is on the local disk. */
  packed: { content: Buffer } | { path: string };
  rows: number;
  bytes: number;
  sha256: string;
}
