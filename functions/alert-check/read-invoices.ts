import type { Day } from '../shared/core/business-day.ts';
import type { Amounts, Counts } from '../shared/core/figures.ts';
import { InvoiceStateTotals } from '../shared/core/invoice-states.ts';
import type { InvoiceStatusNames } from '../shared/core/invoice-states.ts';
import type { MerchantSettings } from '../shared/core/registry.ts';
import { integerText } from '../shared/core/records/exact-json.ts';
import { serviceCounts } from '../shared/core/service-stats.ts';
import type { PaymentsClient } from '../shared/payments/client.ts';
import { isUnsettled, readDayInvoices } from '../shared/payments/day-invoices.ts';
import { readInvoicePage } from '../shared/payments/invoice-list.ts';
import type { InvoicePage } from '../shared/payments/invoice-list.ts';

/** How often the day is read when it does not hold still. */
const MOST_READINGS = 3;

/**
 * How many invoices there are, told from the first page of every type. Pages that share an invoice are of one list,
 * which a service gives that does not heed the type asked for: it counts once.
 */
function invoicesBehind(firstPages: readonly InvoicePage[]): number {
  const lists: { ids: Set<string>; total: number }[] = [];
  for (const { invoices, total } of firstPages) {
    const ids = invoices.map(({ id }) => integerText(id));
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
  const pages = await Promise.all(invoiceTypes.map((type) => readInvoicePage(client, day, type, 1)));
  const stated = pages.map(({ total, stats }) => ({ paginationTotal: total, stats }));
  return serviceCounts(stated, invoicesBehind(pages));
}

/**
 * Reads every page of a day. One that moves all the time is taken as it was last read: rows that came on top meanwhile
 * are missing then. One that is short of rows is not, since a sum of a part would look like an all-clear.
 *
 * @returns `null` when fewer rows came than the service stated, however often it was read; its `pagination.total` does
 *   not tell so where the registry leaves it out
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
    return isShort ? null : states.amounts();
  }
}
