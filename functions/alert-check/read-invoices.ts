import { InvoicesBehind } from '#domain/alerts/behind.ts';
import type { Behind } from '#domain/alerts/behind.ts';
import type { Day } from '#domain/day/business-day.ts';
import type { Amounts, Counts } from '#domain/figures/figures.ts';
import { InvoiceStateTotals } from '#domain/figures/invoice-states.ts';
import type { InvoiceStatusNames } from '#domain/figures/invoice-states.ts';
import { redactedColumns } from '#domain/records/redaction.ts';
import type { MerchantSettings } from '#domain/registry/registry-schema.ts';
import { integerText } from '#domain/json/exact-json.ts';
import { serviceCounts } from '#domain/balance/service-stats.ts';
import type { StatedType } from '#domain/balance/service-stats.ts';
import { MisplacedInvoices, areOfOtherRequest } from '#domain/balance/misplaced-invoices.ts';
import type { TypeReading } from '#domain/balance/balance.ts';
import type { PaymentsClient } from '#payments/client.ts';
import { isUnsettled, readDayInvoices } from '#payments/invoices/day-invoices.ts';
import { inOrder } from '#payments/in-order.ts';
import type { Turn } from '#payments/in-order.ts';
import { readInvoicePage } from '#payments/invoices/invoice-list.ts';

/** The part of a merchant's settings that decides how invoices are read. */
type Merchant = Pick<
  MerchantSettings,
  'invoiceTypes' | 'invoiceStatuses' | 'redact' | 'balance' | 'currency'
>;

/** Invoices for a mail. */
type Items = Pick<Behind, 'unpaid' | 'cancelled'>;

/** The service's counts of a day, and invoices for a mail. */
export interface CountReadings {
  counts: Counts;
  items: Items;
}

/** The amounts of a day, and invoices for a mail. */
export interface AmountReadings {
  amounts: Amounts;
  items: Items;
}

function invoicesBehind(
  names: InvoiceStatusNames,
  { redact, currency }: Pick<Merchant, 'redact' | 'currency'>,
): InvoicesBehind {
  return new InvoicesBehind(names, !redactedColumns(redact).has('reference_number'), currency);
}

/** How often a day is read when it changes while it is read. */
const MOST_READINGS = 3;

/** What is kept of a first page. All rows of all types may be more than the memory can hold. */
interface FirstPage extends Pick<StatedType, 'stats'> {
  /** `null`: the service does not say. */
  paginationTotal: number | null;
  ids: string[];
  /** Whether all of its invoices belong to another request. */
  isOther: boolean;
}

/** Nothing is known of the counts: the service does not say how many invoices there are, or answers another request. */
const UNKNOWN_COUNTS: Counts = { total: null, paid: null, notPaid: null, cancelled: null, other: null };

/** Whether a list belongs to another request, and is not one that the service gives for every type. */
function isOfNobody({ isOther, ids }: FirstPage, pages: readonly FirstPage[]): boolean {
  if (!isOther) return false;
  const own = new Set(ids);
  return !pages.some((page) => page.ids !== ids && page.ids.some((id) => own.has(id)));
}

function hasTotal(page: FirstPage): page is FirstPage & StatedType {
  return page.paginationTotal !== null;
}

/**
 * The number of invoices, from the first page of every type. A service that ignores the type gives the same
 * list for each type. So lists that share an invoice count once.
 */
function numberOfInvoices(firstPages: readonly (FirstPage & StatedType)[]): number {
  const lists: { ids: Set<string>; total: number }[] = [];
  for (const { ids, paginationTotal: total } of firstPages) {
    const known = lists.find((list) => ids.some((id) => list.ids.has(id)));
    if (known === undefined) lists.push({ ids: new Set(ids), total });
    else known.total = Math.max(known.total, total);
  }
  return lists.reduce((sum, { total }) => sum + total, 0);
}

/**
 * The service's counts of a day (docs/contract.md, 2.2 Invoice list response). It takes one request for each
 * invoice type, however many invoices there are. The invoices for a mail are those of the first pages: the
 * largest of them, in the same order on every run.
 */
export async function readCounts(
  client: PaymentsClient,
  day: Day,
  merchant: Merchant,
): Promise<CountReadings> {
  const { invoiceTypes, invoiceStatuses = {}, balance } = merchant;
  const behind = invoicesBehind(invoiceStatuses, merchant);
  const reading = invoiceTypes.map((type) => async (turn: Turn): Promise<FirstPage> => {
    const { total, stats, invoices } = await readInvoicePage(client, day, type, 1, turn);
    for (const invoice of invoices) behind.add(invoice);
    const misplaced = new MisplacedInvoices(day);
    misplaced.add(invoices, type);
    return {
      paginationTotal: total,
      stats,
      ids: invoices.map(({ id }) => integerText(id)),
      isOther: areOfOtherRequest(misplaced.found(), invoices.length, balance.ignore),
    };
  });
  const pages: FirstPage[] = [];
  for await (const page of inOrder(reading, () => client.window)) pages.push(page);
  const stated = pages.filter(hasTotal);
  const isKnown = stated.length === pages.length && !pages.some((page) => isOfNobody(page, pages));
  return {
    counts: isKnown ? serviceCounts(stated, numberOfInvoices(stated)) : UNKNOWN_COUNTS,
    items: behind.items(),
  };
}

/** Whether rows are missing. Where the service does not say how many there are, it is not known. */
function isCut({ rows, paginationTotal }: TypeReading): boolean {
  return paginationTotal === null || rows < paginationTotal;
}

/**
 * Reads every page of a day. If the day changes during every reading, the last reading is used, and rows that
 * were added meanwhile may be missing. A reading with too few rows is not used: its smaller sum would look as
 * if all is well.
 *
 * @returns `null` when every reading has fewer rows than the service states, or all rows of a type or of the day belong to another
 * one, or a row has a field twice, unless the registry leaves that out of the balance
 */
export async function readAmounts(
  client: PaymentsClient,
  day: Day,
  merchant: Omit<Merchant, 'invoiceStatuses'>,
  names: InvoiceStatusNames,
): Promise<AmountReadings | null> {
  const { invoiceTypes, balance } = merchant;
  const isTotalLeftOut = balance.ignore.includes('paginationTotal');
  for (let reading = 1; ; reading += 1) {
    const states = new InvoiceStateTotals(names);
    const behind = invoicesBehind(names, merchant);
    const misplaced = new MisplacedInvoices(day);
    const read = await readDayInvoices(client, day, invoiceTypes, (fresh, type) => {
      misplaced.add(fresh, type);
      for (const invoice of fresh) {
        states.add(invoice);
        behind.add(invoice);
      }
    });
    const isOther = areOfOtherRequest(misplaced.found(), read.uniqueInvoices, balance.ignore);
    const isAgain = isOther || (isTotalLeftOut ? read.moved : isUnsettled(read));
    if (isAgain && reading < MOST_READINGS) continue;
    const isShort = !isTotalLeftOut && read.types.some(isCut);
    // A field with two values: the sum is not known.
    const isUnclear = !read.repeatedFields.isEmpty && !balance.ignore.includes('repeatedFields');
    return isShort || isUnclear || isOther ? null : { amounts: states.amounts(), items: behind.items() };
  }
}
