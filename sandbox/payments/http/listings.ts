import { isDay } from '../day/calendar.ts';
import { Refusal } from './envelopes.ts';
import { decimal, thousandths } from '../day/amounts.ts';
import type { ListedRecord, RecordStore, Selection } from '../store.ts';

/** The parameters of a list request. The contract does not say which are required, so none is. */
interface ListQuery {
  fromDay?: string;
  toDay?: string;
  page: number;
}

/** Throws a Refusal (506) for a wrong date, or a page that is not a number from 1. */
export function listQuery(query: Record<string, string>): ListQuery {
  const { fromDate, toDate, search = '', page = '1' } = query;
  // A search that changed nothing would prove nothing.
  if (search !== '') throw new Refusal('invalidData', 'this sandbox does not search');
  for (const [name, day] of Object.entries({ fromDate, toDate })) {
    if (day !== undefined && !isDay(day))
      throw new Refusal('invalidData', `${name} is not a date YYYY-MM-DD`);
  }
  if (!/^[1-9]\d{0,8}$/.test(page)) throw new Refusal('invalidData', 'page is not a number from 1');
  return {
    page: Number(page),
    ...(fromDate !== undefined && { fromDay: fromDate }),
    ...(toDate !== undefined && { toDay: toDate }),
  };
}

/** The records of a selection, newest first, with their counts and sums by status. */
export interface Listing {
  records: readonly ListedRecord[];
  counts: ReadonlyMap<string, number>;
  /** Decimal string; the sum over one status, or over all. */
  sum(status?: string): string;
}

/** Listings by selection, kept until the merchant's data change. */
export type Listings = (selection: Selection) => Listing;

function listing(records: readonly ListedRecord[]): Listing {
  const counts = new Map<string, number>();
  const sums = new Map<string, bigint>();
  for (const { status, amount } of records) {
    counts.set(status, (counts.get(status) ?? 0) + 1);
    sums.set(status, (sums.get(status) ?? 0n) + (thousandths(amount) ?? 0n));
  }
  const all = [...sums.values()].reduce((sum, one) => sum + one, 0n);
  return { records, counts, sum: (status) => decimal(status === undefined ? all : (sums.get(status) ?? 0n)) };
}

const KEPT_LISTINGS = 64;

export function createListings(store: RecordStore): Listings {
  const kept = new Map<string, { version: number; listing: Listing }>();
  return (selection) => {
    const key = JSON.stringify(selection);
    const version = store.version(selection.merchantCode);
    const known = kept.get(key);
    if (known?.version === version) return known.listing;
    const made = listing(store.list(selection));
    if (kept.size >= KEPT_LISTINGS) kept.clear();
    kept.set(key, { version, listing: made });
    return made;
  };
}
