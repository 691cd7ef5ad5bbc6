import { DatabaseSync } from 'node:sqlite';

export type RecordKind = 'invoice' | 'refund';

/** A record's JSON text as it is served, and beside it what the service filters and counts by. */
export interface StoredRecord {
  kind: RecordKind;
  merchantCode: string;
  id: number;
  /** The day of an invoice's `created_at`, or a refund's `refund_at`. */
  day: string;
  /** `invoice_type` as text; empty for refunds. */
  type: string;
  status: string;
  /** The amount string; empty where the record has none. */
  amount: string;
  record: string;
  /** The record without its raw members, where it has any. */
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

/** Opens `file` (or ':memory:') with one table for invoices and refunds; ids need not be unique, for tests' sake. */
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
