import * as z from 'zod';
import { isExactInteger } from '../json/exact-json.ts';
import { csvColumns, OWN_COLUMNS, SHAPES } from './contract-columns.ts';

/** Columns that are needed for figures, alerts, later pulls and readers of the lake. */
const NEEDED_COLUMNS = new Set<string>([
  ...OWN_COLUMNS,
  ...['id', 'amount', 'invoice_status', 'status', 'refund_at', 'transaction_date'],
  ...['created_at', 'updated_at', 'expires_at'],
]);

/** The longest name of a column in `redact`, UTF-16 units. */
const LONGEST_COLUMN = 200;

interface ContractNames {
  /** In lower case, and the objects with columns in them. */
  columns: ReadonlySet<string>;
  /** What the columns in the contract's objects begin with, such as `customer_`. */
  prefixes: ReadonlySet<string>;
}

let contract: ContractNames | undefined;

/** Built at first use, so no cold start waits for it. */
function ofContract(): ContractNames {
  if (contract !== undefined) return contract;
  const tables = ['invoices', 'refunds'] as const;
  const all = tables.flatMap((table) => [...csvColumns(table), ...SHAPES[table].map(({ name }) => name)]);
  const objects = tables.flatMap((table) => SHAPES[table].filter(({ members }) => members !== null));
  return (contract = {
    columns: new Set(all.map((column) => column.toLowerCase())),
    prefixes: new Set(objects.map(({ name }) => `${name}_`)),
  });
}

/** The columns of the contract in lower case, and the objects with columns in them. */
export function knownColumnNames(): readonly string[] {
  return [...ofContract().columns];
}

/** Whether the contract has a column with this name, or an object with columns in it. */
export function isKnownColumn(column: string): boolean {
  return ofContract().columns.has(column.toLowerCase());
}

/**
 * The registry's `redact`: names of columns as in the lake's CSV (`access_key`, `customer_name`), of either
 * table. The contract need not have them. Case does not matter, as in the lake.
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

/** The columns to leave out, in the form for {@link redacted}. */
export function redactedColumns(columns: readonly string[]): ReadonlySet<string> {
  return new Set(columns.map((column) => column.toLowerCase()));
}

/** Whether a value has the place of one of the contract's objects, of which a member is to be left out. */
function isPlaceOfRedacted(columns: ReadonlySet<string>, prefix: string): boolean {
  return ofContract().prefixes.has(prefix) && [...columns].some((column) => column.startsWith(prefix));
}

function redactedValue(value: unknown, columns: ReadonlySet<string>, prefix: string): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => redactedValue(item, columns, prefix));
  if (typeof value !== 'object' || value === null || isExactInteger(value)) {
    // Not the object that the contract shows: it may be what the member would have.
    return isPlaceOfRedacted(columns, prefix) ? null : value;
  }
  // No column below this can be meant, and reading a long name for each member would be slow.
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
 * The record with `null` for all that is to be left out. A member's column is its name after the names of the
 * objects around it, with `_` between. Members of objects in a list count as members of the list. A value that came in place of
 * one of the contract's objects is left out when one of the object's columns is.
 * @param columns of {@link redactedColumns}
 */
export function redacted(
  record: Record<string, unknown>,
  columns: ReadonlySet<string>,
): Record<string, unknown> {
  return columns.size === 0 ? record : redactedMembers(record, columns, '');
}
