import type { ServiceStats, TypeReading } from '../shared/core/balance.ts';
import type { Day } from '../shared/core/business-day.ts';
import type { InvoiceStateTotals } from '../shared/core/invoice-states.ts';
import { integerText } from '../shared/core/records/exact-json.ts';
import type { Invoice } from '../shared/core/records/invoice.ts';
import type { PaymentsClient } from '../shared/payments/client.ts';
import { invoicePages, readInvoicePage } from '../shared/payments/invoice-list.ts';
import type { InvoicePage } from '../shared/payments/invoice-list.ts';
import type { TableSpool } from './table-spool.ts';

/** The invoices of one pull, as read. */
export interface PulledInvoices {
  types: TypeReading[];
  uniqueInvoices: number;
  /** Whether the pages moved while they were read. */
  moved: boolean;
}

/** What is kept of one type while its pages go by. */
interface TypeProgress {
  paginationTotal: number;
  totalPages: number;
  stats: ServiceStats;
  rows: number;
  firstPageIds: string;
}

/** An id as a set holds it: small ones as numbers, which take less room than their digits. */
function idKey(id: Invoice['id']): number | string {
  return typeof id === 'number' ? id : id.rawJSON;
}

function idsOf(page: InvoicePage): string {
  return page.invoices.map((invoice) => integerText(invoice.id)).join(' ');
}

/**
 * Reads every invoice of the day into the spool, each id once: the one read first stays. Pages move when an invoice
 * is added or goes while they are read, so totals are compared from page to page and page 1 is read again at the end.
 */
export async function pullInvoices(
  client: PaymentsClient,
  origin: { merchantCode: string; day: Day },
  invoiceTypes: readonly string[],
  spool: TableSpool,
  states: InvoiceStateTotals | null,
): Promise<PulledInvoices> {
  const progress = new Map<string, TypeProgress>();
  const ids = new Set<number | string>();
  let moved = false;
  for await (const page of invoicePages(client, origin.day, invoiceTypes)) {
    let type = progress.get(page.invoiceType);
    if (type === undefined) {
      const { total, totalPages, stats } = page;
      type = { paginationTotal: total, totalPages, stats, rows: 0, firstPageIds: idsOf(page) };
      progress.set(page.invoiceType, type);
    }
    moved ||= page.total !== type.paginationTotal;
    type.rows += page.invoices.length;
    const fresh = page.invoices.filter((invoice) => {
      const key = idKey(invoice.id);
      return !ids.has(key) && ids.add(key);
    });
    for (const invoice of fresh) states?.add(invoice);
    await spool.add(fresh, { ...origin, queryType: page.invoiceType });
  }
  moved ||= await firstPagesMoved(client, origin.day, progress);
  return {
    types: [...progress].map(([invoiceType, { paginationTotal, stats, rows }]) => ({
      invoiceType,
      paginationTotal,
      stats,
      rows,
    })),
    uniqueInvoices: ids.size,
    moved,
  };
}

/** A type of one page was read in one answer and cannot have moved. */
async function firstPagesMoved(
  client: PaymentsClient,
  day: Day,
  progress: Map<string, TypeProgress>,
): Promise<boolean> {
  const checks = [...progress]
    .filter(([, type]) => type.totalPages > 1)
    .map(async ([invoiceType, type]) => {
      const again = await readInvoicePage(client, day, invoiceType, 1);
      return again.total !== type.paginationTotal || idsOf(again) !== type.firstPageIds;
    });
  return (await Promise.all(checks)).includes(true);
}
