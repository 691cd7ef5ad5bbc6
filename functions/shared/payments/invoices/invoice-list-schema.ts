import * as z from 'zod';
import type { ServiceStats } from '#domain/balance/service-stats.ts';
import { isMembers } from '#domain/json/exact-json.ts';
import { asSent, listOf } from '#domain/records/as-sent.ts';
import { checked } from '#domain/records/contract-types.ts';
import { MisfitTally } from '#domain/records/misfits.ts';
import { shapeOf } from '#domain/records/row-shape.ts';
import { countOf } from '../envelope/count-of.ts';

const integer = checked(z.int(), Number.isSafeInteger);
/** A count, as a number or as digits. */
const count = checked(z.unknown(), (value) => countOf(value) !== null);
const countOrNull = checked(z.unknown(), (value) => value === null || countOf(value) !== null);
const orderCount = checked(
  z.unknown(),
  (value) => value === null || typeof value === 'string' || Number.isSafeInteger(value),
);
const list = checked(z.unknown(), Array.isArray);

/** What the contract shows around the invoices (docs/contract.md, 2.2 Invoice list response). Anything else is drift. */
const SHAPE = shapeOf(
  z.object({
    stats: z.object({
      total_invoice_count: countOrNull,
      invoice_paid: countOrNull,
      invoice_not_paid: countOrNull,
      invoice_cancelled: countOrNull,
    }),
    order_stats: z.object({
      total_invoice_count: orderCount,
      invoice_paid: orderCount,
      invoice_not_paid: orderCount,
      invoice_cancelled: orderCount,
    }),
    invoices: z.object({
      data: list,
      pagination: z.object({
        total: count,
        count,
        per_page: integer,
        current_page: integer,
        total_pages: count,
        page_url: z.string(),
        next_page_url: z.string().nullable(),
        previous_page_url: z.string().nullable(),
      }),
    }),
  }),
);

/** What an answer of the invoice list says. `null`: the service does not say, or not in a way that can be read. */
export interface InvoiceListAnswer<Row> {
  invoices: Row[];
  total: number | null;
  totalPages: number | null;
  currentPage: number | null;
  stats: ServiceStats;
  /** Members around the invoices that are not as the contract shows them. */
  misfits: MisfitTally;
}

/**
 * An answer of the invoice list as it was sent (docs/contract.md, 2.2 Invoice list response). Only the list and the object with
 * its end are needed. Other members are ignored.
 *
 * @param invoices of the list
 */
export function invoiceListSchema<Row>(invoices: z.ZodType<Row[]>) {
  const schema = z.object({
    stats: z.unknown().optional(),
    invoices: z.object({ data: invoices, pagination: z.looseObject({}) }),
  });
  // A service has thousands of pages. zod's own copy of what is around the invoices takes longer, and what it transforms
  // stays in memory for long (docs/adr/0029-what-a-page-leaves-behind.md).
  return asSent(schema);
}
/** An answer that {@link invoiceListSchema} has checked. */
type SentList<Row> = z.infer<ReturnType<typeof invoiceListSchema<Row>>>;

/** Reads what a checked answer says. It is unknown what `order_stats` counts, so it is not read. */
export function readInvoiceList<Row>(response: SentList<Row>): InvoiceListAnswer<Row> {
  const { stats, invoices } = response;
  const counts = isMembers(stats) ? stats : {};
  const { pagination, data } = invoices;
  const misfits = new MisfitTally();
  misfits.add(response, SHAPE);
  return {
    invoices: listOf(data),
    total: countOf(pagination['total']),
    totalPages: countOf(pagination['total_pages']),
    currentPage: countOf(pagination['current_page']),
    stats: {
      total: countOf(counts['total_invoice_count']),
      paid: countOf(counts['invoice_paid']),
      notPaid: countOf(counts['invoice_not_paid']),
      cancelled: countOf(counts['invoice_cancelled']),
    },
    misfits,
  };
}
