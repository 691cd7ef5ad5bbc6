import type { Day } from '../day/business-day.ts';
import { isComparison } from './comparisons.ts';
import type { Comparison } from './comparisons.ts';
import type { DayFigures } from '../figures/history.ts';

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

const OF_REFUND_LIST: ReadonlySet<Comparison> = new Set(['refundListCount', 'refundListAmount']);

/** Whether a day balances since there was nothing that these comparisons could have disagreed on. */
function hadNothingToCompare({ balanced, counts, refunds }: DayFigures, names: Suggestion['names']): boolean {
  return (
    balanced && names.every(({ name }) => (OF_REFUND_LIST.has(name) ? refunds.count : counts.total) === 0)
  );
}

/**
 * What the newest days suggest to leave out of the check, if anything. Days with nothing to compare are passed over: a
 * merchant that closes once a week, or seldom refunds, would never be seen to disagree every day.
 *
 * @param history newest day first
 */
export function suggestedIgnore(history: readonly DayFigures[]): Suggestion | undefined {
  const newest = history.find(({ balanced }) => !balanced);
  const names = suggestible(newest?.disagreed);
  if (names === undefined) return undefined;
  const said = newest?.disagreed?.join(' ');
  const days = history.filter((day) => !hadNothingToCompare(day, names)).slice(0, SUGGESTED_AFTER);
  const [last, first] = [days[0], days[SUGGESTED_AFTER - 1]];
  if (last === undefined || first === undefined) return undefined;
  if (days.some(({ disagreed }) => disagreed?.join(' ') !== said)) return undefined;
  return { names, from: first.day, to: last.day };
}
