import type { Day } from './business-day.ts';
import { isComparison } from './comparisons.ts';
import type { Comparison } from './comparisons.ts';
import type { DayFigures } from './history.ts';

/** On so many sealed days in a row the same comparisons, and no others, must disagree. */
export const SUGGESTED_AFTER = 7;

const OF_STATE = 'that the rows are in other states than the service counts, such as an invoice wrongly paid';

/**
 * What is no longer told where a comparison is left out; `null` where leaving it out is never suggested. Only figures
 * that the service states beside its rows may mean something else than the rows add up to. All others are about the
 * rows themselves: that some are missing, came twice, moved, or are of another type or day, or that a refund is gone.
 * Such rows are wrong however long they are so, and a person has to look.
 */
const LOST: Record<Comparison, string | null> = {
  paginationTotal: null,
  uniqueInvoiceIds: null,
  stablePages: null,
  invoiceType: null,
  invoiceDay: null,
  knownRefunds: null,
  repeatedFields: null,
  statsTotal: 'that invoices are missing from the list, or are there and are not counted',
  statsPaid: OF_STATE,
  statsNotPaid: OF_STATE,
  statsCancelled: OF_STATE,
  statsOther: 'that invoices are in a state that neither the service nor the registry names',
  refundListCount: 'that refunds are missing from the refund list',
  refundListAmount: 'that refunds are missing from the refund list, or have another amount than it states',
};

/** Comparisons that may be left out, since they alone have disagreed on each of some days. */
export interface Suggestion {
  names: { name: Comparison; lost: string }[];
  /** The first and the last of the days. */
  from: Day;
  to: Day;
}

/** @param names `undefined` where it is not known what disagreed */
function suggestible(names: readonly string[] | undefined): Suggestion['names'] | undefined {
  const known = names?.flatMap((name) => {
    const lost = isComparison(name) ? LOST[name] : null;
    return isComparison(name) && lost !== null ? [{ name, lost }] : [];
  });
  return known === undefined || known.length === 0 || known.length !== names?.length ? undefined : known;
}

/**
 * What the newest days suggest to leave out of the check, if anything.
 *
 * @param history newest day first
 */
export function suggestedIgnore(history: readonly DayFigures[]): Suggestion | undefined {
  const days = history.slice(0, SUGGESTED_AFTER);
  const [newest, oldest] = [days[0], days[SUGGESTED_AFTER - 1]];
  if (newest === undefined || oldest === undefined) return undefined;
  const names = suggestible(newest.disagreed);
  const said = newest.disagreed?.join(' ');
  if (names === undefined || days.some(({ disagreed }) => disagreed?.join(' ') !== said)) return undefined;
  return { names, from: oldest.day, to: newest.day };
}
