import type { Day } from '../day/business-day.ts';
import { isComparison } from './comparisons.ts';
import type { Comparison } from './comparisons.ts';
import type { DayFigures } from '../figures/history.ts';

/** The number of sealed days in a row on which the same comparisons, and no others, must disagree. */
export const SUGGESTED_AFTER = 7;

const OF_STATE = 'that the rows are in other states than the service counts, such as an invoice wrongly paid';

/**
 * What Daybook no longer notices when a comparison is left out. `null` for a comparison that is never
 * suggested. Only figures that the service states beside its rows may mean something else than the sum of the
 * rows. All other comparisons are about the rows themselves: rows are missing, came twice, moved or are of
 * another type or day, or a refund is gone. Such rows are wrong however long this lasts, and a person has to
 * look.
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

/** Comparisons that may be left out, because only they have disagreed on each of some days. */
export interface Suggestion {
  names: { name: Comparison; lost: string }[];
  /** The first and the last of the days. */
  from: Day;
  to: Day;
}

/** @param names `undefined` when it is not known which comparisons disagreed */
function suggestible(names: readonly string[] | undefined): Suggestion['names'] | undefined {
  const known = names?.flatMap((name) => {
    const lost = isComparison(name) ? LOST[name] : null;
    return isComparison(name) && lost !== null ? [{ name, lost }] : [];
  });
  return known === undefined || known.length === 0 || known.length !== names?.length ? undefined : known;
}

const OF_REFUND_LIST: ReadonlySet<Comparison> = new Set(['refundListCount', 'refundListAmount']);

/** Whether a day is balanced only because it has nothing that these comparisons compare. */
function hadNothingToCompare({ balanced, counts, refunds }: DayFigures, names: Suggestion['names']): boolean {
  return (
    balanced && names.every(({ name }) => (OF_REFUND_LIST.has(name) ? refunds.count : counts.total) === 0)
  );
}

/**
 * The comparisons that the newest days suggest to leave out, if any. Days with nothing to compare are
 * skipped. Otherwise a merchant that closes once a week or seldom refunds would never have enough days in a
 * row.
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
