import { parseExactJson } from '../json/exact-json.ts';
import { outlineOf } from '../json/json-outline.ts';
import { countNames } from '../json/repeated-names.ts';
import { ordered } from '../records/canonical-record.ts';
import { NamesOfRecord } from '../records/names-of-record.ts';

/** Values beyond this are left to the reader of whole answers. */
const LIMITS = { levels: 20, values: 1_000, widest: 100 };

/**
 * Parses a value of any type, with the members of its objects ordered by name as in the snapshots.
 *
 * @param text of one JSON value
 * @returns `undefined` when it is not JSON, is large, has a name twice, or has names that differ by case only. `values` is an upper
 * bound of the values in it
 */
export function openValue(text: string): { value: unknown; values: number } | undefined {
  const { levels, values, widest, names, largeIntegers } = outlineOf(text, LIMITS);
  if (levels > LIMITS.levels || values > LIMITS.values || widest > LIMITS.widest) return undefined;
  let parsed: unknown;
  try {
    parsed = parseExactJson(text, largeIntegers);
  } catch {
    return undefined;
  }
  if (countNames(parsed) < names) return undefined;
  let isRenamed = false;
  const value = ordered(parsed, '', new NamesOfRecord({ set: () => (isRenamed = true) }));
  return isRenamed ? undefined : { value, values };
}
