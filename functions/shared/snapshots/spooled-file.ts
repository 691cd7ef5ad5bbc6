import type { Format, Table } from '#domain/revision/manifest.ts';

/**
 * A finished spool file on the local disk: gzip, with the hash (SHA-256, hex) and the size in bytes of the
 * packed file.
 */
export interface SpooledFile {
  table: Table;
  format: Format;
  path: string;
  rows: number;
  bytes: number;
  sha256: string;
}
