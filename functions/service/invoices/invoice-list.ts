import * as z from 'zod';
import type { Day } from '#records/day/business-day.ts';
import { isMembers } from '#records/json/exact-json.ts';
import { asSent, listAsSent, listOf, countOf } from '../envelope/answer-schemas.ts';
import { checked, merchantId } from '#records/rows/contract-types.ts';
import { neededInvoiceSchema } from '#records/rows/contract-records.ts';
import type { Invoice } from '#records/rows/contract-records.ts';
import { MisfitTally, NameTally } from '#records/rows/drift-tallies.ts';
import { shapeOf } from '#records/rows/contract-columns.ts';
import type { ServiceStats } from '#records/balance/balance.ts';
import type { PaymentsClient } from '../client.ts';
import { ContractError } from '../errors.ts';
import { inOrder } from '../in-order.ts';
import type { Task, Turn } from '../in-order.ts';

const integer = checked(z.int(), Number.isSafeInteger);
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
interface InvoiceListAnswer {
  invoices: Invoice[];
  total: number | null;
  totalPages: number | null;
  currentPage: number | null;
  stats: ServiceStats;
  /** Members around the invoices that are not as the contract shows them. */
  misfits: MisfitTally;
}

/** The names on the path to the invoices of an answer, below `response`. */
const INVOICES_AT = ['invoices', 'data'];

/**
 * An answer of the invoice list as it was sent (docs/contract.md, 2.2 Invoice list response). Only the list and the object with
 * its end are needed. Other members are ignored.
 *
 * A service has thousands of pages. zod's own copy of what is around the invoices takes longer, and what it transforms
 * stays in memory for long (docs/adr/0028-one-way-for-a-row.md).
 */
const invoiceListSchema = asSent(
  z.object({
    stats: z.unknown().optional(),
    invoices: z.object({ data: listAsSent(neededInvoiceSchema), pagination: z.looseObject({}) }),
  }),
);

/** It is unknown what `order_stats` counts, so it is not read. */
function statsOf(stats: unknown): ServiceStats {
  const counts = isMembers(stats) ? stats : {};
  return {
    total: countOf(counts['total_invoice_count']),
    paid: countOf(counts['invoice_paid']),
    notPaid: countOf(counts['invoice_not_paid']),
    cancelled: countOf(counts['invoice_cancelled']),
  };
}

/** Reads what a checked answer says. */
function readInvoiceList(response: z.infer<typeof invoiceListSchema>): InvoiceListAnswer {
  const { pagination, data } = response.invoices;
  const misfits = new MisfitTally();
  misfits.add(response, SHAPE);
  return {
    invoices: listOf(data),
    total: countOf(pagination['total']),
    totalPages: countOf(pagination['total_pages']),
    currentPage: countOf(pagination['current_page']),
    stats: statsOf(response.stats),
    misfits,
  };
}

/** The ids of a page in their order. An id that is too large for a number is kept as its digits. */
export type PageIds = readonly (number | string)[];

export function idsOf({ invoices }: Pick<InvoicePage, 'invoices'>): PageIds {
  return invoices.map(({ id }) => (typeof id === 'number' ? id : id.rawJSON));
}

/** Whether two pages have the same ids in the same order. */
export function areSameIds(one: PageIds, other: PageIds): boolean {
  return one.length === other.length && one.every((id, index) => id === other[index]);
}

/** Of how many pages the ids are kept, to see that pages repeat. */
const MOST_REMEMBERED = 4;

export interface InvoicePage extends Omit<InvoiceListAnswer, 'currentPage'> {
  invoiceType: string;
  page: number;
  totalPages: number;
  /** Fields that an invoice has twice. */
  repeatedFields: NameTally;
}

export interface DayRange {
  from: Day;
  to: Day;
}

function pageRequest({ from, to }: DayRange, invoiceType: string, page: number, turn?: Turn) {
  return {
    operation: `invoice list (invoiceType ${invoiceType}, page ${page})`,
    path: '/api/v1/invoice-dashboard',
    query: { fromDate: from, toDate: to, page: page.toString(), invoiceType },
    ...(turn !== undefined && { turn }),
  };
}

/** Nothing is needed of the invoices: one that cannot be read must not hide the counts of all others. */
const invoiceCountsSchema = asSent(
  z.object({
    stats: z.unknown().optional(),
    invoices: z.object({ data: z.unknown().optional(), pagination: z.looseObject({}) }),
  }),
);

/**
 * Asks how many invoices there are of a type (docs/contract.md, 2.2 Invoice list response), with one request. `null`:
 * the service does not say.
 * @param turn see {@link ReadRequest}
 * @throws {ContractError} when the answer has no such counts, or has records of another merchant
 * @throws {PaymentsError} see {@link PaymentsClient.read}
 */
export async function readInvoiceCounts(
  client: PaymentsClient,
  days: DayRange,
  invoiceType: string,
  turn?: Turn,
): Promise<ServiceStats & { listed: number | null }> {
  const request = pageRequest(days, invoiceType, 1, turn);
  const { stats, invoices } = await client.read({
    ...request,
    schema: invoiceCountsSchema,
    records: { at: INVOICES_AT, repeated: () => undefined },
  });
  const records: unknown[] = Array.isArray(invoices.data) ? invoices.data : [];
  for (const [index, record] of records.entries()) {
    const ownId = merchantId.safeParse(isMembers(record) ? record['merchant_id'] : null);
    if (!ownId.success || ownId.data === '') continue;
    client.identity.check(request.operation, `response.invoices.data[${index}].merchant_id`, ownId.data);
  }
  return { listed: countOf(invoices.pagination['total']), ...statsOf(stats) };
}

/**
 * Reads one page of a day's invoice list (docs/contract.md, 4.1 Invoice list).
 *
 * @param page from 1
 * @param turn see {@link ReadRequest}
 * @throws {ContractError} when the answer does not have the contract's shape, is another page than requested,
 * or has records of another merchant
 * @throws {PaymentsError} see {@link PaymentsClient.read}
 */
export async function readInvoicePage(
  client: PaymentsClient,
  day: Day,
  invoiceType: string,
  page: number,
  turn?: Turn,
): Promise<InvoicePage> {
  const repeatedFields = new NameTally();
  const request = pageRequest({ from: day, to: day }, invoiceType, page, turn);
  const { operation } = request;
  const response = await client.read({
    ...request,
    schema: invoiceListSchema,
    records: { at: INVOICES_AT, repeated: (field) => repeatedFields.add(field) },
  });
  const { currentPage, ...answer } = readInvoiceList(response);
  if (currentPage !== null && currentPage !== page) {
    throw new ContractError({ operation }, 'response.invoices.pagination.current_page', `must be ${page}`);
  }
  answer.invoices.forEach(({ merchant_id }, index) => {
    if (client.identity.isOwn(merchant_id)) return;
    client.identity.check(operation, `response.invoices.data[${index}].merchant_id`, merchant_id);
  });
  const totalPages = pagesOf(answer);
  if (totalPages === null) {
    const reason = 'must be a count, because the total is none either';
    throw new ContractError({ operation }, 'response.invoices.pagination.total_pages', reason);
  }
  return { invoiceType, page, ...answer, totalPages, repeatedFields };
}

/** How many pages there are, as stated or by the rows of the first page. `null` when nothing says where the list ends. */
function pagesOf({ totalPages, total, invoices }: Omit<InvoiceListAnswer, 'currentPage'>): number | null {
  if (totalPages !== null) return totalPages;
  if (invoices.length === 0) return 1;
  return total === null ? null : Math.ceil(total / invoices.length);
}

/**
 * Every page of every invoice type of a day (docs/contract.md, 4.1 Invoice list), in the order of types and
 * then of pages. A small window of pages is in flight. A type ends at a page that is empty or repeats an
 * earlier one, and when all its stated rows were read, whatever number of pages it states.
 */
export async function* invoicePages(
  client: PaymentsClient,
  day: Day,
  invoiceTypes: readonly string[],
): AsyncGenerator<InvoicePage> {
  const ended = new Set<string>();
  const received = new Map<string, { rows: number; pages: readonly PageIds[] }>();

  function note({ invoiceType, total, invoices }: InvoicePage): void {
    const known = received.get(invoiceType) ?? { rows: 0, pages: [] };
    received.set(invoiceType, known);
    const ids = idsOf({ invoices });
    const isRepeated = known.pages.some((page) => areSameIds(page, ids));
    if (invoices.length === 0 || isRepeated || (total !== null && known.rows > total)) ended.add(invoiceType);
    known.rows += invoices.length;
    known.pages = ended.has(invoiceType) ? [] : [...known.pages.slice(1 - MOST_REMEMBERED), ids];
  }

  /** First pages requested before their turn. Later pages are not kept: their rows would stay in memory. */
  const begun: Task<InvoicePage>[] = [];
  /** The number of pages of each type, once its first page says so. */
  const pageCounts = new Map<string, number>();
  const firstFailure = Promise.withResolvers<never>();
  firstFailure.promise.catch(() => undefined);
  let types = 0;

  /** It says how many more there are. Those of several types are requested at once, as many as may be in memory. */
  function nextFirstPage(): Task<InvoicePage> | undefined {
    for (const type of invoiceTypes.slice(types, types + client.window - begun.length)) {
      types += 1;
      const ownTurn = Promise.withResolvers<undefined>();
      const reading = readInvoicePage(client, day, type, 1, () => ownTurn.promise).then((page) => {
        note(page);
        pageCounts.set(type, page.totalPages);
        return page;
      });
      // The day is incomplete without this page. Other requests under way would be in vain.
      reading.catch(firstFailure.reject);
      begun.push((turn) => {
        void turn().then(ownTurn.resolve);
        return reading;
      });
    }
    return begun.shift();
  }

  function* requests(): Generator<Task<InvoicePage> | undefined> {
    for (const type of invoiceTypes) {
      yield nextFirstPage();
      while (!pageCounts.has(type)) yield undefined;
      const totalPages = pageCounts.get(type) ?? 0;
      for (let page = 2; page <= totalPages && !ended.has(type); page += 1) {
        yield async (turn) => {
          const read = await readInvoicePage(client, day, type, page, turn);
          note(read);
          return read;
        };
      }
    }
  }
  const areAllThere = () => pageCounts.size === invoiceTypes.length;
  const failed = () => (areAllThere() ? undefined : firstFailure.promise);
  yield* inOrder(requests(), () => client.window, failed);
}
