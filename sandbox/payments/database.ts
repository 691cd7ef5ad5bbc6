import { DatabaseSync } from 'node:sqlite';

export type RecordKind = 'invoice' | 'refund';

/** A record's JSON text as the service sends it, and the columns that the service filters and counts by. */
export interface StoredRecord {
  kind: RecordKind;
  merchantCode: string;
  id: number;
  /** The day of an invoice's `created_at`, or a refund's `refund_at`. */
  day: string;
  /** `invoice_type` as text; empty for refunds. */
  type: string;
  status: string;
  /** The amount string; empty when the record has none. */
  amount: string;
  record: string;
  /** The record without its raw members, if it has any. */
  base: string | null;
  /** JSON of the raw members, or of the one raw text. */
  raw: string | null;
}

const SCHEMA = `
  PRAGMA journal_mode = MEMORY;
  PRAGMA synchronous = OFF;
  CREATE TABLE IF NOT EXISTS records (
    seq INTEGER PRIMARY KEY,
    kind TEXT NOT NULL, merchant TEXT NOT NULL, id INTEGER NOT NULL, day TEXT NOT NULL,
    type TEXT NOT NULL, status TEXT NOT NULL, amount TEXT NOT NULL,
    record TEXT NOT NULL, base TEXT, raw TEXT
  ) STRICT;
  CREATE INDEX IF NOT EXISTS records_by_day ON records (kind, merchant, day, type);
  CREATE INDEX IF NOT EXISTS records_by_id ON records (kind, merchant, id);
`;

/** Opens `file` (or ':memory:') with one table for invoices and refunds. Ids need not be unique, because tests use that. */
export function openDatabase(file: string): DatabaseSync {
  const database = new DatabaseSync(file);
  database.exec(SCHEMA);
  return database;
}

/** A text column; empty for NULL. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** An integer column; 0 for NULL. */
export function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}
