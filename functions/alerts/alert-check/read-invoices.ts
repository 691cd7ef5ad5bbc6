import { invoicesBehind } from '../rules/behind.ts';
import type { Behind } from '../rules/behind.ts';
import type { Day } from '#records/day/business-day.ts';
import type { Amounts, Counts } from '#records/figures/figure-schemas.ts';
import { InvoiceStateTotals } from '#records/figures/invoice-state-totals.ts';
import type { InvoiceStatusNames } from '#records/figures/invoice-state-totals.ts';
import type { Thousandths } from '#records/money/money.ts';
import { paidByQuarter } from '#records/figures/paid-by-quarter.ts';
import { redactedColumns } from '#records/rows/redaction.ts';
import type { MerchantSettings } from '#registry/registry-schema.ts';
import { integerText } from '#records/json/exact-json.ts';
import { serviceCounts } from '#records/balance/balance.ts';
import type { StatedType, TypeReading } from '#records/balance/balance.ts';
import { MisplacedInvoices, areOfOtherRequest } from '#records/balance/misplaced-invoices.ts';
import type { PaymentsClient } from '#service/client.ts';
import { isUnsettled, readDayInvoices } from '#service/invoices/day-invoices.ts';
import { inOrder } from '#service/in-order.ts';
import type { Turn } from '#service/in-order.ts';
import { readInvoicePage } from '#service/invoices/invoice-list.ts';

type Merchant = Pick<
  MerchantSettings,
  'invoiceTypes' | 'invoiceStatuses' | 'redact' | 'balance' | 'currency' | 'timeZone'
>;

type Items = Pick<Behind, 'unpaid' | 'cancelled'>;

export interface AmountReadings {
  amounts: Amounts;
  /** What was paid of them on the day before each quarter of an hour; `null` when it is not known. */
  paidBefore: readonly Thousandths[] | null;
  items: Items;
}

const MOST_READINGS = 3;

/** All rows of all types may be more than the memory can hold. */
interface FirstPage extends Pick<StatedType, 'stats'> {
  /** `null`: the service does not say. */
  paginationTotal: number | null;
  ids: string[];
  isOther: boolean;
}

/** The service does not say how many there are, or answers another request. */
const UNKNOWN_COUNTS: Counts = { total: null, paid: null, notPaid: null, cancelled: null, other: null };

/** Whether a list is another request's, and not one that the service gives for every type. */
function isOfNobody({ isOther, ids }: FirstPage, pages: readonly FirstPage[]): boolean {
  if (!isOther) return false;
  const own = new Set(ids);
  return !pages.some((page) => page.ids !== ids && page.ids.some((id) => own.has(id)));
}

function hasTotal(page: FirstPage): page is FirstPage & StatedType {
  return page.paginationTotal !== null;
}

/** A service that ignores the type gives one list for each: lists that share an invoice count once. */
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
 * The service's counts of a day (docs/contract.md, 2.2 Invoice list response), by one request a type. The
 * invoices for a mail are the largest of the first pages.
 */
export async function readCounts(
  client: PaymentsClient,
  day: Day,
  merchant: Merchant,
): Promise<{ counts: Counts; items: Items }> {
  const { invoiceTypes, invoiceStatuses = {}, balance, redact, currency } = merchant;
  const isReferenceShown = !redactedColumns(redact).has('reference_number');
  const behind = invoicesBehind(invoiceStatuses, isReferenceShown, currency);
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

/** Whether rows are missing. Not known where the service does not say how many there are. */
function isCut({ rows, paginationTotal }: TypeReading): boolean {
  return paginationTotal === null || rows < paginationTotal;
}

/**
 * Reads every page; the last reading of a day that changes. `null` when all have too few rows (a smaller sum
 * would look well) or rows of another type or day, or a field comes twice, unless the registry ignores that.
 * @param now milliseconds UTC
 */
export async function readAmounts(
  client: PaymentsClient,
  day: Day,
  merchant: Omit<Merchant, 'invoiceStatuses'>,
  names: InvoiceStatusNames,
  now: number,
): Promise<AmountReadings | null> {
  const { invoiceTypes, balance, timeZone, redact, currency } = merchant;
  const isReferenceShown = !redactedColumns(redact).has('reference_number');
  const isTotalLeftOut = balance.ignore.includes('paginationTotal');
  for (let reading = 1; ; reading += 1) {
    const states = new InvoiceStateTotals(names);
    const behind = invoicesBehind(names, isReferenceShown, currency);
    const paid = paidByQuarter(day, now, timeZone, names);
    const misplaced = new MisplacedInvoices(day);
    const read = await readDayInvoices(client, day, invoiceTypes, (fresh, type) => {
      misplaced.add(fresh, type);
      for (const invoice of fresh) {
        states.add(invoice);
        behind.add(invoice);
        paid.add(invoice);
      }
    });
    const isOther = areOfOtherRequest(misplaced.found(), read.uniqueInvoices, balance.ignore);
    const isAgain = isOther || (isTotalLeftOut ? read.moved : isUnsettled(read));
    if (isAgain && reading < MOST_READINGS) continue;
    const isShort = !isTotalLeftOut && read.types.some(isCut);
    // A field with two values: the sum is not known.
    const isUnclear = !read.repeatedFields.isEmpty && !balance.ignore.includes('repeatedFields');
    if (isShort || isUnclear || isOther) return null;
    return { amounts: states.amounts(), paidBefore: paid.before(), items: behind.items() };
  }
}
