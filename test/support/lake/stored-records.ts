import { DatabaseSync } from 'node:sqlite';
import { defined } from '#support/assertions/defined.ts';
import { membersOf } from '#support/assertions/members.ts';
import * as z from 'zod';

const KINDS = z.enum(['invoice', 'refund']);

/** A record as the payment service's own database has it, its numbers as the digits that are served. */
export interface StoredRecord {
  kind: z.infer<typeof KINDS>;
  merchantCode: string;
  day: string;
  record: Record<string, unknown>;
}

/** A number as its digits, so that no digit is lost. */
export function digits(_name: string, value: unknown, { source }: { source?: string }): unknown {
  return typeof value === 'number' ? new Digits(defined(source)) : value;
}

export class Digits {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
  toJSON(): unknown {
    return JSON.rawJSON(this.text);
  }
}

/** Every record in the file, read by SQLite and not by the sandbox. */
export function storedRecords(file: string): StoredRecord[] {
  const database = new DatabaseSync(file, { readOnly: true });
  const rows = database.prepare('SELECT kind, merchant, day, record FROM records ORDER BY seq').all();
  database.close();
  return rows.map((row) => ({
    kind: KINDS.parse(row['kind']),
    merchantCode: String(row['merchant']),
    day: String(row['day']),
    record: membersOf(JSON.parse(String(row['record']), digits)),
  }));
}
