import * as z from 'zod';
import { amount, date, datetime, integer, texts, unspecified } from '../records/contract-types.ts';
import { invoiceSchema } from '../records/invoice.ts';

/** What a value may be. `open` is any JSON, `list` an array of any JSON. */
export type ValueKind =
  'integer' | 'text' | 'text or null' | 'amount' | 'date' | 'datetime' | 'texts' | 'open' | 'list';

/** A value of a record: where it stands in the contract, and how it may look. */
export interface LayoutValue {
  /** What stands before it: the name, and all brackets and commas since the value before. ASCII. */
  before: Uint8Array;
  /** Its column in the lake, such as `customer_name`. */
  column: string;
  kind: ValueKind;
}

/** A record with exactly the contract's members in the contract's order, and without blanks. */
export interface RowLayout {
  values: readonly LayoutValue[];
  /** What stands after the last value. */
  after: Uint8Array;
}

const CONTRACT_TYPES = new Map<unknown, ValueKind>([
  [integer, 'integer'],
  [amount, 'amount'],
  [date, 'date'],
  [datetime, 'datetime'],
  [texts, 'texts'],
  [unspecified, 'open'],
]);

function kindOf(schema: unknown): ValueKind {
  const known = CONTRACT_TYPES.get(schema);
  if (known !== undefined) return known;
  if (schema instanceof z.ZodString && (schema.def.checks ?? []).length === 0) return 'text';
  if (schema instanceof z.ZodNullable && kindOf(schema.unwrap()) === 'text') return 'text or null';
  if (schema instanceof z.ZodArray && schema.element instanceof z.ZodUnknown) return 'list';
  throw new TypeError('a layout does not know this kind of value');
}

/** Adds the values of an object. @returns the text after its last value */
function addValues(schema: z.ZodObject, prefix: string, before: string, values: LayoutValue[]): string {
  let pending = `${before}{`;
  for (const [name, member] of Object.entries(schema.shape)) {
    pending += `${JSON.stringify(name)}:`;
    if (member instanceof z.ZodObject) {
      pending = `${addValues(member, `${prefix}${name}_`, pending, values)},`;
      continue;
    }
    values.push({ before: Buffer.from(pending), column: `${prefix}${name}`, kind: kindOf(member) });
    pending = ',';
  }
  return `${pending.slice(0, -1)}}`;
}

/** The layout of a record (docs/contract.md, 2 Resources and their fields), taken from its schema. */
function layoutOf(schema: z.ZodObject): RowLayout {
  const values: LayoutValue[] = [];
  const after = addValues(schema, '', '', values);
  return { values, after: Buffer.from(after) };
}

let invoices: RowLayout | undefined;

/** The layout of an invoice (docs/contract.md, 2.3 Invoice record). Built at first use, so no cold start waits for it. */
export function invoiceLayout(): RowLayout {
  return (invoices ??= layoutOf(invoiceSchema.unwrap()));
}
