import type { FoundDifference } from './comparisons.ts';
import { TABLES } from '../revision/manifest.ts';
import type { Table } from '../revision/manifest.ts';
import type { NameTally } from '../records/name-tally.ts';

/**
 * A difference for each field that stood twice in a record. One of its two values is lost, and nobody can say which of
 * them the service means: the rows have the last, as every reader of JSON, and the day is not called balanced.
 */
export function repeatedFieldDifferences(repeated: Readonly<Record<Table, NameTally>>): FoundDifference[] {
  return TABLES.flatMap((table) => {
    const { others } = repeated[table];
    const fields = Object.entries(repeated[table].counts());
    const all = others === 0 ? fields : [...fields, ['further fields', others] as const];
    return all.map(([field, times]) => ({
      name: 'repeatedFields',
      what: `${table} with ${field} twice`,
      service: times,
      rows: 'the last value of each',
    }));
  });
}
