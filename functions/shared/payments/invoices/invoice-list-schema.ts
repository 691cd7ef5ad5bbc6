import * as z from 'zod';

/** More than any day has. Four such counts still add up exactly. */
const MOST_STATED = 1_000_000_000_000;

/**
 * A count of `stats`: a number, a string of digits, or null when the service does not say (docs/contract.md,
 * 2.2 Invoice list response).
 */
const statedCount = z.union([
  z.int().min(0).max(MOST_STATED),
  z
    .string()
    .regex(/^\d{1,12}$/)
    .transform(Number),
  z.null(),
]);

const paginationSchema = z.object({
  total: z.int().min(0).max(MOST_STATED),
  count: z.int().min(0),
  per_page: z.int(),
  current_page: z.int(),
  total_pages: z.int().min(0).max(MOST_STATED),
  page_url: z.string(),
  next_page_url: z.string().nullable(),
  previous_page_url: z.string().nullable(),
});

const orderCount = z.union([z.int(), z.string(), z.null()]);

/**
 * The answer of the invoice list (docs/contract.md, 2.2 Invoice list response). `order_stats` is checked and
 * not used, because it is unknown what it counts. Other members are ignored.
 *
 * @param list of the invoices
 */
export function invoiceListSchema<Row>(list: z.ZodType<Row[]>) {
  return z.object({
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
}
