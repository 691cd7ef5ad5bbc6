import type { FoundDifference } from './comparisons.ts';
import { TABLES } from '../revision/manifest.ts';
import type { Table } from '../revision/manifest.ts';
import type { NameTally } from '../records/name-tally.ts';

/**
 * A difference for each field that appeared twice in a record. One of its two values is lost, and it is not
 * known which one is right. The rows have the last one, as with every JSON reader, and the day does not count
 * as balanced.
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
