import { parseExactJson } from '../json/exact-json.ts';
import { countNames } from '../json/repeated-names.ts';
import { ordered } from '../records/canonical-record.ts';
import { NamesOfRecord, RenamedMembersError } from '../records/names-of-record.ts';
import type { ValueOutline } from './json-bytes.ts';

/** Values beyond this are left to the reader of whole answers. */
const MOST = { levels: 20, values: 1_000 };

/** Stops at the first name that is written under another one. */
const NO_OTHER_NAMES = {
  set: () => {
    throw new RenamedMembersError();
  },
};

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
    return { value: ordered(parsed, '', new NamesOfRecord(NO_OTHER_NAMES)) };
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RenamedMembersError) return undefined;
    throw error;
  }
}
