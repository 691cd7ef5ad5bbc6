import type { FoundDifference } from './balance.ts';
import type { Drift } from './manifest.ts';

/*
 * A service that invents ids and names for every row must not make a manifest that cannot be read any more. What is left
 * out of it is counted; the rows themselves are in the files.
 */

/** Differences of one kind that are spelled out. */
const MOST_OF_A_KIND = 100;
/** Names, or values of a status, that are spelled out. */
const MOST_NAMES = 200;
/** Characters of a name. */
const LONGEST_NAME = 200;
/** Refund ids that a manifest remembers as gone; each has 30 digits at most. */
export const MOST_MISSING_REFUNDS = 20_000;

function bounded<T>(items: readonly T[], most: number, more: (left: number) => T): T[] {
  return items.length <= most ? [...items] : [...items.slice(0, most), more(items.length - most)];
}

/** The differences, of each comparison the first hundred and how many more. */
export function boundedDifferences(differences: readonly FoundDifference[]): FoundDifference[] {
  const kinds = Map.groupBy(differences, ({ name }) => name);
  return [...kinds].flatMap(([name, those]) =>
    bounded(those, MOST_OF_A_KIND, (left) => ({
      name,
      what: `more of the comparison ${name}`,
      service: left,
      rows: null,
    })),
  );
}

function shortened(name: string): string {
  return name.length <= LONGEST_NAME ? name : `${name.slice(0, LONGEST_NAME)}…`;
}

function boundedNames(names: readonly string[]): string[] {
  return bounded(names.map(shortened), MOST_NAMES, (left) => `… and ${left} more`);
}

function boundedCounts(counts: Readonly<Record<string, number>>): Record<string, number> {
  const entries = Object.entries(counts);
  const rest = entries.slice(MOST_NAMES).reduce((sum, [, count]) => sum + count, 0);
  const shown = entries.slice(0, MOST_NAMES).map(([name, count]) => [shortened(name), count] as const);
  return Object.fromEntries(rest === 0 ? shown : [...shown, ['…', rest]]);
}

function boundedLists(lists: Readonly<Record<string, string[]>>): Record<string, string[]> {
  const shown = Object.entries(lists).slice(0, MOST_NAMES);
  return Object.fromEntries(
    shown.map(([name, names]) => [shortened(name), names.slice(0, 3).map(shortened)]),
  );
}

/** What the service sent beyond the contract, of each kind the first two hundred names and how many more. */
export function boundedDrift(drift: Drift): Drift {
  const { unknownFields, renamedFields } = drift;
  return {
    unknownFields: {
      invoices: boundedNames(unknownFields.invoices),
      refunds: boundedNames(unknownFields.refunds),
    },
    renamedFields: {
      invoices: boundedLists(renamedFields.invoices),
      refunds: boundedLists(renamedFields.refunds),
    },
    unknownInvoiceStatuses: boundedCounts(drift.unknownInvoiceStatuses),
    unknownRefundStatuses: boundedCounts(drift.unknownRefundStatuses),
    otherDays: drift.otherDays,
  };
}
