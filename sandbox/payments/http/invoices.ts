import { addDays } from '../day/calendar.ts';
import { envelope, pagination, Refusal, withMembers } from './envelopes.ts';
import { INVOICE_STATUS } from '../day/invoice-record.ts';
import { listQuery, type Listing } from './listings.ts';
import type { Service } from '../service.ts';
import type { ListedRecord } from '../store.ts';

const INVOICE_TYPES = ['0', '1', '6', '7'];

function stats({ behaviour }: Service, listing: Listing): Record<string, unknown> {
  const { counts, wrongStats } = behaviour;
  const count = (status: number, wrong = 0): unknown => {
    if (counts === 'null') return null;
    const value = (listing.counts.get(String(status)) ?? 0) + wrong;
    return counts === 'strings' ? String(value) : value;
  };
  return {
    total_invoice_count: listing.records.length + (wrongStats.total ?? 0),
    invoice_paid: count(INVOICE_STATUS.paid, wrongStats.paid),
    invoice_not_paid: count(INVOICE_STATUS.unpaid, wrongStats.notPaid),
    invoice_cancelled: count(INVOICE_STATUS.cancelled, wrongStats.cancelled),
  };
}

function invoiceText({ store, behaviour }: Service, record: ListedRecord): string {
  return withMembers(store.text(record.seq), behaviour.extraInvoiceFields);
}

function otherDays<T extends { fromDay?: string; toDay?: string }>(range: T, days: number): T {
  const { fromDay, toDay } = range;
  return {
    ...range,
    ...(fromDay !== undefined && { fromDay: addDays(fromDay, days) }),
    ...(toDay !== undefined && { toDay: addDays(toDay, days) }),
  };
}

/** `GET /api/v1/invoice-dashboard` (docs/contract.md, 4.1), decrypted. Throws a Refusal for unreadable parameters. */
export function invoiceDashboard(
  service: Service,
  merchantCode: string,
  query: Record<string, string>,
): string {
  const { behaviour, listings, perPage } = service;
  const { page, ...asked } = listQuery(query);
  const typeAsked = query['invoiceType'];
  if (typeAsked !== undefined && !INVOICE_TYPES.includes(typeAsked)) {
    throw new Refusal('invalidData', 'invoiceType is not one of 0, 1, 6, 7');
  }
  const type = typeAsked === undefined ? undefined : (behaviour.wrongType[typeAsked] ?? typeAsked);
  const range = otherDays(asked, behaviour.wrongDay);
  const everyType = { kind: 'invoice', merchantCode, ...range } as const;
  const listing = listings({ ...everyType, ...(type !== undefined && { type }) });
  const counted = countedIn(behaviour.statsScope);
  function countedIn(scope: typeof behaviour.statsScope): Listing {
    if (scope === 'type') return listing;
    const { toDay } = range;
    if (scope === 'all' || toDay === undefined) return listings(everyType);
    return listings({ ...everyType, fromDay: toDay, ...(type !== undefined && { type }) });
  }
  const shown = listing.records.slice((page - 1) * perPage, page * perPage);
  const pages = pagination({
    total: listing.records.length,
    count: shown.length,
    perPage,
    page,
    url: `${service.origin}/api/v1/invoice-dashboard`,
  });
  const told = {
    ...pages,
    total: listing.records.length + behaviour.wrongTotal,
    current_page: page + behaviour.wrongPage,
  };
  const orderStats = {
    total_invoice_count: 0,
    invoice_paid: null,
    invoice_not_paid: null,
    invoice_cancelled: null,
  };
  const data = shown.map((record) => invoiceText(service, record)).join(',');
  const response =
    `{"stats":${JSON.stringify(stats(service, counted))},"order_stats":${JSON.stringify(orderStats)},` +
    `"invoices":{"data":[${data}],"pagination":${JSON.stringify(told)}}}`;
  return envelope('Invoice Dashboard', response, behaviour.extraEnvelopeFields);
}
