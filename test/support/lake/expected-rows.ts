import type { TrinoRow } from '#sandbox/trino/index.ts';
import { Digits, type StoredRecord } from './stored-records.ts';
import { membersOf } from '#support/assertions/members.ts';
import * as z from 'zod';

/** A JSON text with the members of objects in the order of their names, as the snapshots hold what is open. */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null || value instanceof Digits) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, ordered(member)]),
  );
}

function text(value: unknown): string | null {
  if (value === null) return null;
  if (typeof value === 'string') return value;
  return value instanceof Digits ? value.text : JSON.stringify(ordered(value));
}

/** `YYYY-MM-DD` or a timestamp with its milliseconds, if that day exists. */
function realDay(value: string): string | null {
  const moment = new Date(`${value.slice(0, 10)}T00:00:00Z`);
  const exists = !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(value.slice(0, 10));
  if (!exists) return null;
  return value.length > 10 ? `${value}.000` : value;
}

const DATES = [
  'expires_at',
  'refund_at',
  'created_at',
  'updated_at',
  'transaction_date',
  'transaction_created_at',
  'transaction_paid_on',
];
/** JSON numbers of the contract, doubles in the lake. */
const NUMBERS: Record<StoredRecord['kind'], readonly string[]> = {
  invoice: [],
  refund: ['transaction_amount', 'transaction_admin_charge'],
};
const OBJECTS = ['transaction', 'customer', 'created_by_merchant'];

/** What a view must show of a record, apart from the views: numbers and times as the text that the service sent. */
export function expectedRow({ kind, record }: StoredRecord): TrinoRow {
  const flat = Object.entries(record).flatMap(([name, value]) =>
    OBJECTS.includes(name)
      ? Object.entries(membersOf(value)).map(
          ([member, inner]) => [`${name}_${member}`.toLowerCase(), inner] as const,
        )
      : [[name, value] as const],
  );
  const row: TrinoRow = {};
  for (const [name, value] of flat) {
    if (name === 'payment_method') row[name] = z.array(z.string()).parse(value);
    else if (NUMBERS[kind].includes(name)) row[name] = Number(text(value));
    else if (DATES.includes(name)) row[name] = realDay(String(value));
    else row[name] = text(value);
  }
  return row;
}
