import * as z from 'zod';
import type { Table } from '../revision/manifest.ts';
import { invoiceSchema } from './invoice.ts';
import { refundSchema } from './refund.ts';

/** The members that Daybook puts before the service's own, in every row of both tables. */
export const OWN_COLUMNS = ['_merchant_code', '_day', '_query_type'] as const;

/** One member of a record in the contract. `members` is set when the contract shows an object. */
export interface ShapeMember {
  name: string;
  members: ShapeMember[] | null;
}

function shapeOf(schema: z.ZodObject): ShapeMember[] {
  return Object.entries(schema.shape).map(([name, member]) => ({
    name,
    members: member instanceof z.ZodObject ? shapeOf(member) : null,
  }));
}

let invoices: ShapeMember[] | undefined;
let refunds: ShapeMember[] | undefined;

/**
 * Each table's members in the contract's order (docs/contract.md, 2 Resources and their fields). They are
 * taken from the schemas, so the order is defined once. Built at first use, so no cold start waits for it.
 */
export const SHAPES: Readonly<Record<Table, ShapeMember[]>> = {
  get invoices() {
    return (invoices ??= shapeOf(invoiceSchema.unwrap()));
  },
  get refunds() {
    return (refunds ??= shapeOf(refundSchema.unwrap()));
  },
};

/**
 * Each table's CSV columns: Daybook's own, then the contract's. Nested members have names such as
 * `transaction_payment_id`.
 */
export function csvColumns(table: Table): string[] {
  const columns = SHAPES[table].flatMap(({ name, members }) =>
    members === null ? [name] : members.map((member) => `${name}_${member.name}`),
  );
  return [...OWN_COLUMNS, ...columns];
}
