import { parseExactJson } from '../json/exact-json.ts';
import { countNames } from '../json/repeated-names.ts';
import { ordered } from '../records/canonical-record.ts';
import { NamesOfRecord } from '../records/names-of-record.ts';
import type { ValueOutline } from './json-bytes.ts';

/** Values beyond this are left to the reader of whole answers. */
const MOST = { levels: 20, values: 1_000 };

/**
 * Parses a value of any type, with the members of its objects ordered by name as in the snapshots.
 *
 * @param text of one JSON value
 * @returns `undefined` when it is not JSON, is large, has a name twice, or has names that differ by case only
 */
export function openValue(
  text: string,
  { levels, values, names }: ValueOutline,
): { value: unknown } | undefined {
  if (levels > MOST.levels || values > MOST.values) return undefined;
  try {
    const parsed = parseExactJson(text);
    if (countNames(parsed) < names) return undefined;
    const renamed = new Map<string, string>();
    const value = ordered(parsed, '', new NamesOfRecord(renamed));
    return renamed.size > 0 ? undefined : { value };
  } catch {
    // It is not JSON, or has too many such names.
    return undefined;
  }
}
