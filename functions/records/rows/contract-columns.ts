import * as z from 'zod';
import type { Table } from '../revision/manifest.ts';
import { checkOf, integer, jsonNumber, texts } from './contract-types.ts';
import { invoiceSchema, refundSchema } from './contract-records.ts';

/** The members that Daybook puts before the service's own, in every row of both tables. */
export const OWN_COLUMNS = ['_merchant_code', '_day', '_query_type'] as const;

/** One member of a record in the contract. `members` is set when the contract shows an object. */
export interface ShapeMember {
  name: string;
  members: ShapeMember[] | null;
  /** Whether a value is as the contract shows it. */
  fits: (value: unknown) => boolean;
  /** Whether the lake's column is a text, which takes any value. Another column takes values that fit, and null. */
  isText: boolean;
}

/** Numbers and lists. Objects have columns of their own. Every other column of the lake is a text. */
const NO_TEXTS = new Set<unknown>([integer, jsonNumber, texts]);

function objectIn(schema: unknown): z.ZodObject | null {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return objectIn(schema.unwrap());
  return schema instanceof z.ZodObject ? schema : null;
}

/** The members of an object of the contract, in its order. */
export function shapeOf(schema: z.ZodObject): ShapeMember[] {
  return Object.entries(schema.shape).map(([name, member]) => {
    const object = objectIn(member);
    const members = object === null ? null : shapeOf(object);
    return { name, members, fits: checkOf(member), isText: members === null && !NO_TEXTS.has(member) };
  });
}

let invoices: ShapeMember[] | undefined;
let refunds: ShapeMember[] | undefined;

/** In the contract's order (docs/contract.md, 2), defined once by its schemas. Built at first use, for cold starts. */
export const SHAPES: Readonly<Record<Table, ShapeMember[]>> = {
  get invoices() {
    return (invoices ??= shapeOf(invoiceSchema.unwrap()));
  },
  get refunds() {
    return (refunds ??= shapeOf(refundSchema.unwrap()));
  },
};

/** Whether the contract has a member with this path, such as `customer.name`. */
export function isField(table: Table, path: string): boolean {
  const [first, ...inner] = path.split('.');
  const member = SHAPES[table].find(({ name }) => name === first);
  if (member === undefined || inner.length === 0) return member !== undefined;
  return inner.length === 1 && member.members?.some(({ name }) => name === inner[0]) === true;
}

/** Daybook's own columns, then the contract's. Nested members have names such as `transaction_payment_id`. */
export function csvColumns(table: Table): string[] {
  const columns = SHAPES[table].flatMap(({ name, members }) =>
    members === null ? [name] : members.map((member) => `${name}_${member.name}`),
  );
  return [...OWN_COLUMNS, ...columns];
}
