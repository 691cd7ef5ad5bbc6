import { addDays, type Day } from '#records/day/business-day.ts';
import type { StatedCounts } from '#records/figures/invoice-outcomes.ts';
import type { DayRange } from '#service/invoices/invoice-list.ts';
import { daysAskedAlone, openLinks, type KnownDay, type Morning } from './due-days.ts';

/** What the service says of a range of days, by type of invoice. */
export type RangeCounts = ReadonlyMap<string, StatedCounts>;

/** Asks the service, one request a type. */
export type AskRange = (range: DayRange, types: readonly string[]) => Promise<RangeCounts>;

const STATS = ['total', 'paid', 'notPaid', 'cancelled'] as const;
const COUNTS = ['listed', ...STATS] as const;

/** Of a service whose counts change with every answer. */
const MOST_ASKED = 60;

type Combine = (one: number | null, other: number | null) => number | null;

function ifKnown(combine: (one: number, other: number) => number): Combine {
  return (one, other) => (one === null || other === null ? null : combine(one, other));
}
const plus = ifKnown((one, other) => one + other);
const minus = ifKnown((one, other) => one - other);

function byName(of: (name: keyof StatedCounts) => number | null): StatedCounts {
  return {
    listed: of('listed'),
    total: of('total'),
    paid: of('paid'),
    notPaid: of('notPaid'),
    cancelled: of('cancelled'),
  };
}

const NONE = byName(() => 0);
const UNKNOWN = byName(() => null);

function combined(one: StatedCounts, other: StatedCounts, combine: Combine): StatedCounts {
  return byName((name) => combine(one[name], other[name]));
}

/** What the days said when they were last read: a range says their sum as long as nothing has changed. */
function sumOf(days: readonly KnownDay[], type: string): StatedCounts {
  return days.reduce((sum, { followed }) => combined(sum, followed.stated[type] ?? NONE, plus), NONE);
}

function isStated(counts: StatedCounts): boolean {
  return STATS.every((name) => counts[name] !== null);
}

/** The types that the service has nowhere in a range, so on none of its days. */
export function absentTypes(said: RangeCounts): string[] {
  return [...said].flatMap(([type, counts]) => (COUNTS.every((name) => counts[name] === 0) ? type : []));
}

/** How far the counts of all states are from the list; nearly always 0, or what other types have. */
function apart({ listed, total }: StatedCounts): number | null {
  return minus(total, listed);
}

/** What the service says beyond the days, by type, as far as both are known. Without its counts by state where these are not of the range. */
function changesOf(days: readonly KnownDay[], said: RangeCounts): { changes: RangeCounts; byStats: boolean } {
  const changes = new Map<string, StatedCounts>();
  for (const [type, counts] of said) changes.set(type, combined(counts, sumOf(days, type), minus));
  // Counts of one day are further from the list of a range than those of its days are from theirs. What a type has
  // beyond its days moves both alike, but where the counts are of all types: then all types' lists move them.
  const all = [...changes.values()].reduce<number | null>((sum, { listed }) => plus(sum, listed), 0);
  const byStats = [...changes.values()].every(
    (change) => isStated(change) && (apart(change) === 0 || change.total === all),
  );
  return { changes, byStats };
}

function changeIn(change: StatedCounts, byStats: boolean): number {
  return (byStats ? COUNTS : (['listed'] as const)).reduce(
    (sum, name) => sum + Math.abs(change[name] ?? 0),
    0,
  );
}

/** A range in two, so that both halves are as likely to have changed: mostly what is open changes. */
function halves(days: readonly KnownDay[], morning: Morning): [KnownDay[], KnownDay[]] {
  const weights = days.map((day) => (openLinks(day, morning) ?? 0) + 1 / days.length);
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  let before = 0;
  const middle = weights.findIndex((weight) => (before += weight) >= all / 2);
  const at = Math.min(Math.max(middle, 1), days.length - 1);
  return [days.slice(0, at), days.slice(at)];
}

/** Whether the day's counts by state are known: not those of a page of an earlier version. */
function hasStats({ followed }: KnownDay): boolean {
  return Object.values(followed.stated).every(isStated);
}

/** Ranges of days of one kind without a gap, so that an answer covers them and nothing else. @param days in order */
export function rangesOf(days: readonly KnownDay[]): KnownDay[][] {
  const ranges: KnownDay[][] = [];
  for (const day of days) {
    const last = ranges.at(-1)?.at(-1);
    const isNext = last !== undefined && addDays(last.day, 1) === day.day && hasStats(last) === hasStats(day);
    if (isNext) ranges.at(-1)?.push(day);
    else ranges.push([day]);
  }
  return ranges;
}

export function spanOf(days: readonly KnownDay[]): DayRange {
  return { from: days[0]?.day ?? '', to: days.at(-1)?.day ?? '' };
}

export interface ChangedDays {
  days: Day[];
  /** Whether counts by state tell of changes. Otherwise only new and vanished invoices are seen. */
  byStats: boolean;
}

/**
 * Days of a range that are not as they were last read, by the service's counts (docs/contract.md, 2.2 Invoice list
 * response). Where they differ, the range is halved, asking for the type that has changed most; the second half is the
 * whole less the first. Other types mostly tell of the same days: after these were read, another call finds what is left.
 * Changes that cancel out in every half are not seen. Where the counts by state are not of the whole range, some days are
 * asked for alone: then they can only be of that day.
 * @param range as of {@link rangesOf}
 */
export async function changedDays(
  range: readonly KnownDay[],
  types: readonly string[],
  ask: AskRange,
  morning: Morning,
): Promise<ChangedDays> {
  let asked = 0;
  const askFor = (days: readonly KnownDay[], of: readonly string[]) => ask(spanOf(days), of);

  /** @param said of the type in these days */
  async function search(days: readonly KnownDay[], type: string, said: StatedCounts): Promise<Day[]> {
    const [only] = days;
    const change = combined(said, sumOf(days, type), minus);
    if (only === undefined || changeIn(change, byStats) === 0) return [];
    if (days.length === 1) return [only.day];
    asked += 1;
    if (asked > MOST_ASKED) return [];
    const [first, second] = halves(days, morning);
    const ofFirst = (await askFor(first, [type])).get(type) ?? UNKNOWN;
    const found = await search(first, type, ofFirst);
    return [...found, ...(await search(second, type, combined(said, ofFirst, minus)))];
  }

  /** What the service says of the day beyond its page. */
  async function changesAlone(one: KnownDay): Promise<StatedCounts[]> {
    // The list of the range has shown that there is no new invoice.
    const listed = types.filter((type) => one.followed.stated[type]?.listed !== 0);
    const said = await askFor([one], listed);
    return listed.map((type) => combined(said.get(type) ?? UNKNOWN, sumOf([one], type), minus));
  }

  const whole = await askFor(range, types);
  const { changes, byStats } = changesOf(range, whole);
  const [telling] = [...changes]
    .filter(([, change]) => changeIn(change, byStats) > 0)
    .sort(([, one], [, other]) => changeIn(other, byStats) - changeIn(one, byStats));
  const found = telling ? await search(range, telling[0], whole.get(telling[0]) ?? UNKNOWN) : [];
  if (byStats || !range.every(hasStats)) return { days: found, byStats };
  for (const one of daysAskedAlone(range, morning)) {
    if (found.includes(one.day)) continue;
    const ofOne = await changesAlone(one);
    if (!ofOne.every(isStated)) return { days: found, byStats: false };
    if (ofOne.some((change) => changeIn(change, true) > 0)) found.push(one.day);
  }
  return { days: found, byStats: true };
}
