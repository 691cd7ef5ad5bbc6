import type { TrinoValue } from '#sandbox/trino/index.ts';

/** A value of an answer as text; what is text already stays as it is. */
export function asText(value: TrinoValue | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
