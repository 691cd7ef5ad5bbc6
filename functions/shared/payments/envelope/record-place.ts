import { shownStep } from '#domain/json/repeated-names.ts';
import type { JsonStep } from '#domain/json/repeated-names.ts';

/** Where an answer has its records: below `response`, in a list or alone. */
export interface RecordPlace {
  /** Names on the way to the record or to the list of records. */
  at: readonly string[];
  /** Gets the field of each name that stands twice in a record, such as `transaction.paid_on`. */
  repeated: (field: string) => void;
}

/** The field of a record that a path in `response` leads to, `undefined` where it leads to none. */
export function recordField(path: readonly JsonStep[], at: readonly string[]): string | undefined {
  if (!at.every((name, index) => path[index] === name)) return undefined;
  const inner = path.slice(at.length);
  const steps = typeof inner[0] === 'number' ? inner.slice(1) : inner;
  // A list of records is no record, though a record alone would stand there.
  if (steps.length === 0 || (at.length > 0 && steps.length === inner.length)) return undefined;
  return steps
    .filter((step) => typeof step === 'string')
    .map(shownStep)
    .join('.');
}
