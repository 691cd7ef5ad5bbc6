import { distance } from 'fastest-levenshtein';
import { codesInEntries } from '#registry/registry.ts';
import type { Registry } from '#registry/registry.ts';
import { MERCHANT_CODE } from '#records/storage/keys.ts';
import { CommandError, UsageError } from '../terminal/command-errors.ts';
import type { Lines } from './stage.ts';
import { shown, firstNamed } from '../terminal/shown-text.ts';
import { usableName } from '#registry/groups.ts';
import { addDays, dayAt, isDay } from '#records/day/business-day.ts';
import type { Day } from '#records/day/business-day.ts';

/** Nobody types a longer name by mistake: it is the length of an address. UTF-16 units. */
const LONGEST = 320;

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[ _-]/g, '');
}

/**
 * The text that may have been meant: the nearest one, if at most a third of its letters differ. Upper and lower case,
 * blanks, "_" and "-" make no difference.
 *
 * @param known the texts that are allowed
 * @returns `undefined` when none is near, or the text itself is allowed
 */
export function nearestText(text: string, known: readonly string[]): string | undefined {
  if (text === '' || text.length > LONGEST) return undefined;
  const wanted = plain(text);
  let [nearest, least]: [string | undefined, number] = [undefined, Infinity];
  for (const one of known) {
    const differing = distance(wanted, plain(one));
    if (differing < least) [nearest, least] = [one, differing];
  }
  if (nearest === undefined || nearest === text) return undefined;
  return least <= Math.max(1, Math.floor(nearest.length / 3)) ? nearest : undefined;
}

/** @throws {UsageError} when a text cannot be a merchant's code */
export function assertCode(code: string): void {
  if (MERCHANT_CODE.test(code)) return;
  throw new UsageError(
    `"${shown(code, 80)}" cannot be the code of a merchant: it has letters, digits and "-", 64 at most`,
  );
}

/** @throws {CommandError} when the registry does not have it. @param otherwise the hint when nothing near is known */
function assertIn(what: string, name: string, known: readonly string[], otherwise: string): void {
  if (known.includes(name)) return;
  const meant = nearestText(name, known);
  const hint = meant === undefined ? otherwise : `did you mean ${meant}?`;
  throw new CommandError(`the registry has no ${what} "${shown(name, 64)}": ${hint}`);
}

/** @throws {CommandError} when no entry of the registry has this code, usable or not */
export function assertKnownMerchant(registry: Registry, merchantCode: string, lines: Lines): void {
  const list = `"${lines.daybook('merchant', 'list')}" lists them`;
  assertIn('merchant', merchantCode, [...codesInEntries(registry)], list);
}

const MOST_NAMED = 10;

/** @throws {CommandError} when no group of the registry has this name, usable or not */
export function assertKnownGroup(registry: Registry, name: string): void {
  const names = registry.groups.flatMap((group) => usableName(group) ?? []);
  const known = names.length === 0 ? 'no groups (docs/registry.md, "Groups")' : firstNamed(names, MOST_NAMED);
  assertIn('group', name, names, `it has ${known}`);
}

/** The zone where a day begins first. */
const EARLIEST_ZONE = 'Etc/GMT-14';

/**
 * The day that `--day` asks for, in a zone.
 *
 * @param wanted a date, `yesterday` or `today`
 * @param now milliseconds UTC
 * @throws {UsageError} when it is none of these, or has not begun anywhere
 */
export function askedDay(wanted: string, now: number): (timeZone: string) => Day {
  if (wanted === 'yesterday') return (timeZone) => addDays(dayAt(now, timeZone), -1);
  if (wanted === 'today') return (timeZone) => dayAt(now, timeZone);
  if (!isDay(wanted)) {
    throw new UsageError(
      `the day must be a date (YYYY-MM-DD), "yesterday" or "today", given "${shown(wanted, 40)}"`,
    );
  }
  if (wanted > dayAt(now, EARLIEST_ZONE))
    throw new UsageError(`the day ${wanted} has not begun anywhere yet`);
  return () => wanted;
}
