import * as z from 'zod';
import { checked } from '#domain/records/contract-types.ts';
import { asSent } from '#domain/records/as-sent.ts';

/** More than any day has. Four such counts still add up exactly. */
const MOST_STATED = 1_000_000_000_000;
const STATED_DIGITS = /^\d{1,12}$/;

function isInteger(value: unknown): boolean {
  return Number.isSafeInteger(value);
}

function isCount(value: unknown): boolean {
  return typeof value === 'number' && isInteger(value) && value >= 0 && value <= MOST_STATED;
}

function isDigits(value: unknown): boolean {
  return typeof value === 'string' && STATED_DIGITS.test(value);
}

const anyInteger = checked(z.int(), isInteger);
const count = checked(z.int().min(0).max(MOST_STATED), isCount);
/** A count of `stats`: a number, a string of digits, or null when the service does not say (docs/contract.md, 2.2 Invoice list response). */
const statedCount = checked(
  z.union([z.int().min(0).max(MOST_STATED), z.string().regex(STATED_DIGITS), z.null()]),
  (value) => value === null || isCount(value) || isDigits(value),
);
const orderCount = checked(
  z.union([z.int(), z.string(), z.null()]),
  (value) => value === null || typeof value === 'string' || isInteger(value),
);

const paginationSchema = z.object({
  total: count,
  count: checked(z.int().min(0), (value) => isInteger(value) && Number(value) >= 0),
  per_page: anyInteger,
  current_page: anyInteger,
  total_pages: count,
  page_url: z.string(),
  next_page_url: z.string().nullable(),
  previous_page_url: z.string().nullable(),
});

/**
 * The answer of the invoice list (docs/contract.md, 2.2 Invoice list response), as it was sent. `order_stats` is checked and
 * not used, because it is unknown what it counts. Other members are ignored.
 *
 * @param list of the invoices
 */
export function invoiceListSchema<Row>(list: z.ZodType<Row[]>) {
  const schema = z.object({
    stats: z.object({
      total_invoice_count: statedCount,
      invoice_paid: statedCount,
      invoice_not_paid: statedCount,
      invoice_cancelled: statedCount,
    }),
    order_stats: z.object({
      total_invoice_count: orderCount,
      invoice_paid: orderCount,
      invoice_not_paid: orderCount,
      invoice_cancelled: orderCount,
    }),
    invoices: z.object({ data: list, pagination: paginationSchema }),
  });
  // A service has thousands of pages, and zod's own copy of what is around the invoices takes longer.
  return asSent(schema);
}
