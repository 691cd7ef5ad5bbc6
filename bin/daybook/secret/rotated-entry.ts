import { isMembers } from '#domain/json/exact-json.ts';
import { isSameJson } from '#domain/json/same-json.ts';
import type { Members } from '../registry/document/json-members.ts';
import type { EntryInput } from './entry-input.ts';

/** The cipher without the algorithm, which has a default. */
function comparable(value: unknown): unknown {
  if (!isMembers(value)) return value;
  const { algorithm: _algorithm, ...others } = value;
  return others;
}

/**
 * An entry with new values. Those that they replace are under `previous`. A new user name or password ends the use
 * of an access token, because a token is used before a login.
 *
 * @returns `undefined` when no value is new
 */
export function rotatedEntry(entry: Members, input: EntryInput): Members | undefined {
  const { previous: _earlier, ...current } = entry;
  const given = Object.entries(input).filter(
    ([name, value]) => !isSameJson(comparable(value), comparable(current[name])),
  );
  if (given.length === 0) return undefined;
  const names = new Set(given.map(([name]) => name));
  const endsToken = (names.has('username') || names.has('password')) && !names.has('accessToken');
  const gone = (name: string) => names.has(name) || (endsToken && name === 'accessToken');
  const all = Object.entries(current);
  const previous = Object.fromEntries(all.filter(([name]) => gone(name)));
  const kept = all.filter(([name]) => !gone(name));
  return {
    ...Object.fromEntries([...kept, ...given]),
    ...(Object.keys(previous).length > 0 && { previous }),
  };
}
