import type { Day } from '#domain/day/business-day.ts';
import type { Amounts, Counts } from '#domain/figures/figures.ts';
import { InvoiceStateTotals } from '#domain/figures/invoice-states.ts';
import type { InvoiceStatusNames } from '#domain/figures/invoice-states.ts';
import type { MerchantSettings } from '#domain/registry/registry-schema.ts';
import { integerText } from '#domain/json/exact-json.ts';
import { serviceCounts } from '#domain/balance/service-stats.ts';
import type { StatedType } from '#domain/balance/service-stats.ts';
import type { PaymentsClient } from '#payments/client.ts';
import { isUnsettled, readDayInvoices } from '#payments/invoices/day-invoices.ts';
import { inOrder } from '#payments/in-order.ts';
import type { Turn } from '#payments/in-order.ts';
import { readInvoicePage } from '#payments/invoices/invoice-list.ts';

/** How often the day is read when it does not hold still. */
const MOST_READINGS = 3;

/** What is kept of a first page: all rows of all types may be more than there is memory for. */
interface FirstPage extends StatedType {
  ids: string[];
}

/**
 * How many invoices there are, told from the first page of every type. Pages that share an invoice are of one list,
 * which a service gives that does not heed the type asked for: it counts once.
 */
function invoicesBehind(firstPages: readonly FirstPage[]): number {
  const lists: { ids: Set<string>; total: number }[] = [];
  for (const { ids, paginationTotal: total } of firstPages) {
    const known = lists.find((list) => ids.some((id) => list.ids.has(id)));
    if (known === undefined) lists.push({ ids: new Set(ids), total });
    else known.total = Math.max(known.total, total);
  }
  return lists.reduce((sum, { total }) => sum + total, 0);
}

/** The service's counts of a day: one request for each invoice type, however many invoices there are. */
export async function readCounts(
  client: PaymentsClient,
  day: Day,
  invoiceTypes: readonly string[],
): Promise<Counts> {
  const reading = invoiceTypes.map((type) => async (turn: Turn): Promise<FirstPage> => {
    const { total, stats, invoices } = await readInvoicePage(client, day, type, 1, turn);
    return { paginationTotal: total, stats, ids: invoices.map(({ id }) => integerText(id)) };
  });
  const pages: FirstPage[] = [];
  for await (const page of inOrder(reading, () => client.window)) pages.push(page);
  return serviceCounts(pages, invoicesBehind(pages));
}

/**
 * Reads every page of a day. One that moves all the time is taken as it was last read: rows that came on top meanwhile
 * are missing then. One that is short of rows is not, since a sum of a part would look like an all-clear.
 *
 * @returns `null` when fewer rows came than the service stated, however often it was read, or one had a field twice;
 *   what the registry leaves out of the balance does not tell so
 */
export async function readAmounts(
  client: PaymentsClient,
  day: Day,
  { invoiceTypes, balance }: Pick<MerchantSettings, 'invoiceTypes' | 'balance'>,
  names: InvoiceStatusNames,
): Promise<Amounts | null> {
  const isTotalLeftOut = balance.ignore.includes('paginationTotal');
  for (let reading = 1; ; reading += 1) {
    const states = new InvoiceStateTotals(names);
    const read = await readDayInvoices(client, day, invoiceTypes, (fresh) => {
      for (const invoice of fresh) states.add(invoice);
    });
    const isAgain = isTotalLeftOut ? read.moved : isUnsettled(read);
    if (isAgain && reading < MOST_READINGS) continue;
    const isShort = !isTotalLeftOut && read.types.some(({ rows, paginationTotal }) => rows < paginationTotal);
    // A field with two values: no sum is known.
    const isUnclear = !read.repeatedFields.isEmpty && !balance.ignore.includes('repeatedFields');
    return isShort || isUnclear ? null : states.amounts();
  }
}
