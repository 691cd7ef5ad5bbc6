import * as z from 'zod';
import { isExactInteger } from '../json/exact-json.ts';
import { csvColumns, OWN_COLUMNS, SHAPES } from './row-shape.ts';

/** Columns that figures, alerts, later pulls and readers of the lake are made of. */
const NEEDED_COLUMNS = new Set<string>([
  ...OWN_COLUMNS,
  ...['id', 'amount', 'invoice_status', 'status', 'refund_at', 'transaction_date'],
  ...['created_at', 'updated_at', 'expires_at'],
]);

/** Longest name of a column in `redact`, UTF-16 units. */
const LONGEST_COLUMN = 200;

function contractColumns(): ReadonlySet<string> {
  return new Set(
    (['invoices', 'refunds'] as const)
      .flatMap((table) => [...csvColumns(table), ...SHAPES[table].map(({ name }) => name)])
      .map((column) => column.toLowerCase()),
  );
}

let knownColumns: ReadonlySet<string> | undefined;

/** Whether the contract has a column of this name, or an object whose members are columns. */
export function isKnownColumn(column: string): boolean {
  knownColumns ??= contractColumns();
  return knownColumns.has(column.toLowerCase());
}

/**
 * The registry's `redact`: names of columns as the lake's CSV has them (`access_key`, `customer_name`), of either table,
 * whether the contract knows them or not. Case does not count, as in the lake.
 */
export const redactSchema = z.lazy(() =>
  z
    .array(
      z
        .string()
        .min(1)
        .max(LONGEST_COLUMN)
        .regex(/^[^.]*$/, 'must be the name of a column, such as customer_name')
        .refine((column) => !NEEDED_COLUMNS.has(column.toLowerCase()), 'is needed and cannot be redacted'),
    )
    .max(200),
);

/** Columns to leave out, as {@link redacted} looks for them. */
export function redactedColumns(columns: readonly string[]): ReadonlySet<string> {
  return new Set(columns.map((column) => column.toLowerCase()));
}

function redactedValue(value: unknown, columns: ReadonlySet<string>, prefix: string): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => redactedValue(item, columns, prefix));
  if (typeof value !== 'object' || value === null || isExactInteger(value)) return value;
  // Nothing below it can be meant, and a long name would be read again for each member.
  if (prefix.length > LONGEST_COLUMN) return value;
  return redactedMembers(value, columns, prefix);
}

function redactedMembers(members: object, columns: ReadonlySet<string>, prefix: string) {
  const kept = Object.entries(members).map(([name, value]: [string, unknown]): [string, unknown] => {
    const column = `${prefix}${name.toLowerCase()}`;
    return [name, columns.has(column) ? null : redactedValue(value, columns, `${column}_`)];
  });
  return Object.fromEntries(kept);
}

/**
 * The record with `null` in place of what is to be left out: a member's column is its own name behind those of the
 * objects that it stands in, with `_` between; members of objects in a list count as members of the list.
 *
 * @param columns of {@link redactedColumns}
 */
export function redacted(
  record: Record<string, unknown>,
  columns: ReadonlySet<string>,
): Record<string, unknown> {
  return columns.size === 0 ? record : redactedMembers(record, columns, '');
}
