import { shownStep } from '#domain/json/repeated-names.ts';
import type { JsonStep } from '#domain/json/repeated-names.ts';
import type { RecordReader } from './parsed-answer.ts';

/** Where an answer has its records: in a list below `response`, or alone. */
export interface RecordPlace {
  /** The names on the path to the record or to the list of records. */
  at: readonly string[];
  /** Gets the field of each name that appears twice in a record, such as `transaction.paid_on`. */
  repeated: (field: string) => void;
  /** Reads the records in the bytes of the answer. Left out when they are always parsed. */
  inBytes?: RecordReader | undefined;
}

/** The field of a record at a path in `response`, `undefined` when the path does not lead to one. */
export function recordField(path: readonly JsonStep[], at: readonly string[]): string | undefined {
  if (!at.every((name, index) => path[index] === name)) return undefined;
  const inner = path.slice(at.length);
  const steps = typeof inner[0] === 'number' ? inner.slice(1) : inner;
  // The list itself is not a record.
  if (steps.length === 0 || (at.length > 0 && steps.length === inner.length)) return undefined;
  return steps
    .filter((step) => typeof step === 'string')
    .map(shownStep)
    .join('.');
}
