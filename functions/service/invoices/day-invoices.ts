import type { TypeReading } from '#records/balance/balance.ts';
import type { Day } from '#records/day/business-day.ts';
import { IdSet } from '#records/rows/id-set.ts';
import type { Invoice } from '#records/rows/contract-records.ts';
import { MisfitTally, NameTally } from '#records/rows/drift-tallies.ts';
import { inOrder } from '../in-order.ts';
import type { Turn } from '../in-order.ts';
import type { PaymentsClient } from '../client.ts';
import { areSameIds, idsOf, invoicePages, readInvoicePage } from './invoice-list.ts';
import type { PageIds } from './invoice-list.ts';

interface DayInvoices {
  types: TypeReading[];
  uniqueInvoices: number;
  /** Whether the pages moved while they were read. */
  moved: boolean;
  /** Fields that an invoice had twice. The last value was kept. */
  repeatedFields: NameTally;
  misfits: MisfitTally;
}

interface TypeProgress extends Omit<TypeReading, 'invoiceType'> {
  totalPages: number;
  firstPageIds: PageIds;
}

/** What the service says of a type that a day has nothing of. */
const NOTHING = { paginationTotal: 0, stats: { total: 0, paid: 0, notPaid: 0, cancelled: 0 }, rows: 0 };

/**
 * Reads every invoice of the day and passes it on, each id once: the first record of an id counts. Pages move
 * when an invoice is added or removed while they are read. So totals are compared from page to page, and page
 * 1 is read again at the end (docs/contract.md, 4.1 Invoice list).
 * @param take gets the invoices of each page that were on no earlier page
 * @param absentTypes of which the service has said that the day has nothing: they are not asked for
 */
export async function readDayInvoices(
  client: PaymentsClient,
  day: Day,
  invoiceTypes: readonly string[],
  take: (fresh: readonly Invoice[], invoiceType: string) => Promise<void> | void,
  absentTypes: readonly string[] = [],
): Promise<DayInvoices> {
  const progress = new Map<string, TypeProgress>();
  const ids = new IdSet();
  const repeatedFields = new NameTally();
  const misfits = new MisfitTally();
  let moved = false;
  const askedTypes = invoiceTypes.filter((type) => !absentTypes.includes(type));
  for await (const page of invoicePages(client, day, askedTypes)) {
    let type = progress.get(page.invoiceType);
    if (type === undefined) {
      const { total, totalPages, stats } = page;
      type = { paginationTotal: total, totalPages, stats, rows: 0, firstPageIds: idsOf(page) };
      progress.set(page.invoiceType, type);
    }
    moved ||= isOther(page.total, type.paginationTotal);
    repeatedFields.addAll(page.repeatedFields);
    misfits.addAll(page.misfits);
    type.rows += page.invoices.length;
    const fresh = page.invoices.filter(({ id }) => ids.add(id));
    await take(fresh, page.invoiceType);
  }
  moved ||= await firstPagesMoved(client, day, progress);
  return {
    types: invoiceTypes.map((invoiceType) => {
      const { paginationTotal, stats, rows } = progress.get(invoiceType) ?? NOTHING;
      return { invoiceType, paginationTotal, stats, rows };
    }),
    uniqueInvoices: ids.size,
    moved,
    repeatedFields,
    misfits,
  };
}

/** Whether a total says that the list has changed. An unknown one says nothing. */
function isOther(total: number | null, before: number | null): boolean {
  return total !== null && before !== null && total !== before;
}

/** A type with one page was read in one answer and cannot have moved. */
async function firstPagesMoved(
  client: PaymentsClient,
  day: Day,
  progress: Map<string, TypeProgress>,
): Promise<boolean> {
  const checks = [...progress]
    .filter(([, type]) => type.totalPages > 1)
    .map(([invoiceType, type]) => async (turn: Turn) => {
      const again = await readInvoicePage(client, day, invoiceType, 1, turn);
      return isOther(again.total, type.paginationTotal) || !areSameIds(idsOf(again), type.firstPageIds);
    });
  let hasMoved = false;
  for await (const isMoved of inOrder(checks, () => client.window)) hasMoved ||= isMoved;
  return hasMoved;
}

/** Whether the service changed while it was read, or gave other numbers of rows than it stated. */
export function isUnsettled({ types, moved }: DayInvoices): boolean {
  return moved || types.some((type) => type.rows !== type.paginationTotal);
}
