import * as z from 'zod';
import type { Day } from '../core/business-day.ts';
import { listAsSent } from '../core/records/as-sent.ts';
import { invoiceSchema } from '../core/records/invoice.ts';
import { integerText } from '../core/records/exact-json.ts';
import type { Invoice } from '../core/records/invoice.ts';
import type { ServiceStats } from '../core/service-stats.ts';
import type { PaymentsClient } from './client.ts';
import { ContractError } from './errors.ts';
import { inOrder } from './in-order.ts';

/** More than any day has, and four of them still add up exactly. */
const MOST_STATED = 1_000_000_000_000;

/** A count of `stats`: a number, a string of digits, or null where the service does not say (contract: stats). */
const statedCount = z.union([
  z.int().min(0).max(MOST_STATED),
  z
    .string()
    .regex(/^\d{1,12}$/)
    .transform(Number),
  z.null(),
]);

const paginationSchema = z.looseObject({
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

/** Contract: Invoice list response. `order_stats` is read and not used: its meaning is not shown. */
const invoiceListSchema = z.looseObject({
  stats: z.looseObject({
    total_invoice_count: statedCount,
    invoice_paid: statedCount,
    invoice_not_paid: statedCount,
    invoice_cancelled: statedCount,
  }),
  order_stats: z.looseObject({
    total_invoice_count: orderCount,
    invoice_paid: orderCount,
    invoice_not_paid: orderCount,
    invoice_cancelled: orderCount,
  }),
  invoices: z.looseObject({ data: listAsSent(invoiceSchema), pagination: paginationSchema }),
});

/** Pages whose ids are kept to see that pages repeat. */
const MOST_REMEMBERED = 4;

/** One page of one invoice type. */
export interface InvoicePage {
  invoiceType: string;
  page: number;
  total: number;
  totalPages: number;
  stats: ServiceStats;
  invoices: Invoice[];
}

/**
 * Reads one page of the invoice list (contract: Endpoints, 1).
 *
 * @param page from 1
 * @throws {ContractError} when the answer is not the contract's shape, is another page than was asked for, or has
 *   another merchant's records
 * @throws {PaymentsError} see {@link PaymentsClient.read}
 */
export async function readInvoicePage(
  client: PaymentsClient,
  day: Day,
  invoiceType: string,
  page: number,
): Promise<InvoicePage> {
  const operation = `invoice list (invoiceType ${invoiceType}, page ${page})`;
  const { stats, invoices } = await client.read({
    operation,
    path: '/api/v1/invoice-dashboard',
    query: { fromDate: day, toDate: day, page: page.toString(), invoiceType },
    schema: invoiceListSchema,
  });
  const { pagination, data } = invoices;
  if (pagination.current_page !== page) {
    throw new ContractError({ operation }, 'response.invoices.pagination.current_page', `must be ${page}`);
  }
  for (const [index, { merchant_id }] of data.entries()) {
    client.identity.check(operation, `response.invoices.data[${index}].merchant_id`, merchant_id);
  }
  return {
    invoiceType,
    page,
    total: pagination.total,
    totalPages: pagination.total_pages,
    stats: {
      total: stats.total_invoice_count,
      paid: stats.invoice_paid,
      notPaid: stats.invoice_not_paid,
      cancelled: stats.invoice_cancelled,
    },
    invoices: data,
  };
}

/**
 * Every page of every invoice type of a day, in the order of the types and then of the pages, read through a small
 * window of pages in flight. However many pages a type is said to have, it is read no further than a page that is empty
 * or was there before, or than it has rows.
 */
export async function* invoicePages(
  client: PaymentsClient,
  day: Day,
  invoiceTypes: readonly string[],
): AsyncGenerator<InvoicePage> {
  // All first pages at once: they say how many more there are, and a day of one page a type is done with them.
  const firstPages = invoiceTypes.map((type) => readInvoicePage(client, day, type, 1));
  for (const page of firstPages) page.catch(() => undefined);
  const ended = new Set<string>();
  const received = new Map<string, { rows: number; pages: Set<string> }>();

  function note({ invoiceType, total, invoices }: InvoicePage): void {
    const known = received.get(invoiceType) ?? { rows: 0, pages: new Set<string>() };
    received.set(invoiceType, known);
    const ids = invoices.map(({ id }) => integerText(id)).join(' ');
    if (ids === '' || known.pages.has(ids) || known.rows > total) ended.add(invoiceType);
    known.rows += invoices.length;
    // Neighbours are enough to see that pages repeat.
    known.pages = new Set([...[...known.pages].slice(-MOST_REMEMBERED), ids]);
  }

  async function* requests(): AsyncGenerator<() => Promise<InvoicePage>> {
    for (const [index, type] of invoiceTypes.entries()) {
      const firstPage = firstPages[index];
      if (firstPage === undefined) continue;
      yield () => firstPage;
      const first = await firstPage;
      note(first);
      const { totalPages } = first;
      for (let page = 2; page <= totalPages && !ended.has(type); page += 1) {
        yield async () => {
          const read = await readInvoicePage(client, day, type, page);
          note(read);
          return read;
        };
      }
    }
  }
  yield* inOrder(requests(), () => client.window);
}
