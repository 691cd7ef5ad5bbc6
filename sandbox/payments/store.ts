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

/** A record in a listing, without its text: enough to filter, sort and count. */
export interface ListedRecord {
  seq: number;
  id: number;
  status: string;
  amount: string;
}

/** The selection of a list request. A missing member selects all. */
export interface Selection {
  kind: RecordKind;
  merchantCode: string;
  fromDay?: string;
  toDay?: string;
  type?: string;
}

export type RecordStore = ReturnType<typeof createStore>;

const COLUMNS = 'kind, merchant, id, day, type, status, amount, record, base, raw';
function values(record: StoredRecord): (string | number | null)[] {
  const { kind, merchantCode, id, day, type, status, amount } = record;
  return [kind, merchantCode, id, day, type, status, amount, record.record, record.base, record.raw];
}

export function createStore(database: DatabaseSync) {
  const versions = new Map<string, number>();
  const touch = (merchantCode: string): void =>
    void versions.set(merchantCode, (versions.get(merchantCode) ?? 0) + 1);

  const insert = database.prepare(`INSERT INTO records (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const replace = database.prepare(
    `UPDATE records SET (${COLUMNS}) = (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) WHERE seq = ?`,
  );
  const remove = database.prepare('DELETE FROM records WHERE kind = ? AND merchant = ? AND id = ?');
  const find = database.prepare(
    `SELECT seq, ${COLUMNS} FROM records WHERE kind = ? AND merchant = ? AND id = ? ORDER BY seq DESC LIMIT 1`,
  );
  const highest = database.prepare(
    'SELECT max(id) AS id FROM records WHERE kind = ? AND merchant = ? AND id >= ? AND id < ?',
  );
  const text = database.prepare('SELECT record FROM records WHERE seq = ?');

  return {
    insert(record: StoredRecord): void {
      insert.run(...values(record));
      touch(record.merchantCode);
    },
    replace(seq: number, record: StoredRecord): void {
      replace.run(...values(record), seq);
      touch(record.merchantCode);
    },
    remove(kind: RecordKind, merchantCode: string, id: number): boolean {
      touch(merchantCode);
      return remove.run(kind, merchantCode, id).changes > 0;
    },
    /** The newest record with this id, with its row number. */
    find(kind: RecordKind, merchantCode: string, id: number) {
      const row = find.get(kind, merchantCode, id);
      if (row === undefined) return undefined;
      const stored: StoredRecord = {
        kind,
        merchantCode,
        id,
        day: textOf(row['day']),
        type: textOf(row['type']),
        status: textOf(row['status']),
        amount: textOf(row['amount']),
        record: textOf(row['record']),
        base: row['base'] === null ? null : textOf(row['base']),
        raw: row['raw'] === null ? null : textOf(row['raw']),
      };
      return { seq: numberOf(row['seq']), stored };
    },
    highestId(kind: RecordKind, merchantCode: string, from: number, below: number): number | undefined {
      const id = highest.get(kind, merchantCode, from, below)?.['id'];
      return typeof id === 'number' ? id : undefined;
    },
    /** Newest first: by id, descending. */
    list(selection: Selection): ListedRecord[] {
      const conditions = ['kind = :kind', 'merchant = :merchant'];
      const named: Record<string, string> = { kind: selection.kind, merchant: selection.merchantCode };
      const narrow = (name: string, condition: string, value: string | undefined): void => {
        if (value === undefined) return;
        conditions.push(condition);
        named[name] = value;
      };
      narrow('fromDay', 'day >= :fromDay', selection.fromDay);
      narrow('toDay', 'day <= :toDay', selection.toDay);
      narrow('type', 'type = :type', selection.type);
      const sql = `SELECT seq, id, status, amount FROM records WHERE ${conditions.join(' AND ')} ORDER BY id DESC, seq DESC`;
      return database
        .prepare(sql)
        .all(named)
        .map((row) => ({
          seq: numberOf(row['seq']),
          id: numberOf(row['id']),
          status: textOf(row['status']),
          amount: textOf(row['amount']),
        }));
    },
    text: (seq: number): string => textOf(text.get(seq)?.['record']),
    /** Runs `work` in one transaction. */
    together(work: () => void): void {
      database.exec('BEGIN');
      try {
        work();
        database.exec('COMMIT');
      } catch (error) {
        database.exec('ROLLBACK');
        throw error;
      }
    },
    /** Grows with every change of the merchant's records. */
    version: (merchantCode: string): number => versions.get(merchantCode) ?? 0,
  };
}
