import type { Format, Table } from '#records/revision/manifest.ts';

/** Gzip, with SHA-256 (hex) and bytes of the packed file. */
export interface SpooledFile {
  table: Table;
  format: Format;
  packed: { content: Buffer } | { path: string };
  rows: number;
  bytes: number;
  sha256: string;
}
