import { addDays, dayAt, daysReaching, instantOf } from '#records/day/business-day.ts';
import type { Day, Weekday } from '#records/day/business-day.ts';
import { LATE, duePeriods, groupTimes, isIssuedNow } from '#records/period/due.ts';
import type { DuePeriod, MemberClock, StatementTimes } from '#records/period/due.ts';
import type { Period, PeriodKind } from '#records/period/period.ts';
import { allGroups, clocksOf, membersOf } from '#registry/groups.ts';
import type { GroupSettings } from '#registry/groups.ts';
import type { MerchantSettings } from '#registry/registry-schema.ts';
import type { Registry } from '#registry/registry.ts';
import { memoized } from '#registry/once.ts';

/** Of a group's merchants. Many groups may have the same, such as "all". */
interface Members {
  merchants: readonly MerchantSettings[];
  clocks: readonly MemberClock[];
  weekStarts: ReadonlySet<Weekday>;
  /** When the first and the last of their reports of a day are due, milliseconds UTC. */
  reports: Map<Day, { first: number; last: number }>;
}

export interface GroupOwner {
  settings: GroupSettings;
  members: Members;
}

interface MerchantsAndGroups {
  merchants: readonly MerchantSettings[];
  groups: readonly GroupOwner[];
}

/** Merchants, and the groups with those of them that are theirs. Groups without pages are left out. */
export function ownersOf(registry: Registry, merchants: readonly MerchantSettings[]): MerchantsAndGroups {
  const byCode = new Map(merchants.map((merchant) => [merchant.merchantCode, merchant]));
  const known = new Map<string, Members>();
  const groups = allGroups(registry).groups.flatMap((settings): GroupOwner[] => {
    const { daily, weekly, monthly } = settings;
    if (!daily && weekly === undefined && monthly === undefined) return [];
    const members = memoized(known, JSON.stringify(settings.merchants), () =>
      membersAmong(membersOf(settings, registry).codes.flatMap((code) => byCode.get(code) ?? [])),
    );
    return [{ settings, members }];
  });
  return { merchants, groups };
}

function membersAmong(merchants: readonly MerchantSettings[]): Members {
  const weekStarts = new Set(merchants.map(({ weekStart }) => weekStart));
  return { merchants, clocks: clocksOf(merchants), weekStarts, reports: new Map() };
}

/** Milliseconds UTC. Daily looks are those after `since`. */
interface LookTime {
  now: number;
  since: number;
}

export interface StatementLook {
  /** Whether a missing one is issued. */
  isIssued: boolean;
  /** Whether one that was issued without some of its days is completed. */
  isCompleted: boolean;
  /** Whether it follows later revisions of its days. */
  isCorrected: boolean;
  /** Whether it is closed in time. Until then its function looks once a day what closed ones before it lack. */
  isToClose: boolean;
  /** Not when only a group adds it up. */
  isMailed: boolean;
  /** Milliseconds UTC. From here on it is issued although days are missing. */
  deadline: number;
}

export interface OpenPage {
  owner: GroupOwner;
  isIssued: boolean;
  /** Milliseconds UTC. From here on it is issued although merchants are missing. */
  deadline: number;
}

export interface OpenPeriod {
  period: Period;
  kind: PeriodKind;
  /** If not, only a change of one of its days makes something due. */
  isRecent: boolean;
  statements: Map<MerchantSettings, StatementLook>;
  pages: OpenPage[];
}

const DAY = 24 * 60 * 60 * 1_000;

/**
 * Milliseconds. Longer than anything but a change of a day takes: a month is the newest for 31 days, and a
 * page without its ledger is looked for in the week after.
 */
const RECENT = 45 * DAY;

/**
 * Periods to look at now: from the due time until a day after the deadline at every tick, then once a day.
 * Merchants with the same times share their looks.
 */
function lookedPeriods(times: StatementTimes, { now, since }: LookTime, isMailed: boolean) {
  return duePeriods(times, now).flatMap((due) => {
    const isCompleted = now < due.issueUntil;
    const isDaily = daysReaching(due.at, times.timeZone, since, now).length > 0;
    if (!isCompleted && !isDaily) return [];
    const isCorrected = isDaily && now < due.followedUntil;
    const isIssued = isIssuedNow(due, now);
    const isToClose = isDaily && times.closeAfter !== undefined;
    const look = { isIssued, isCompleted, isCorrected, isToClose, isMailed, deadline: due.deadline };
    return [{ due, look }];
  });
}

/** Wanted by several groups: the earliest deadline counts, and every look is made. */
function bothLooks(one: StatementLook, other: StatementLook): StatementLook {
  return {
    isIssued: one.isIssued || other.isIssued,
    isCompleted: one.isCompleted || other.isCompleted,
    isCorrected: one.isCorrected || other.isCorrected,
    isToClose: one.isToClose || other.isToClose,
    isMailed: one.isMailed || other.isMailed,
    deadline: Math.min(one.deadline, other.deadline),
  };
}

function reportsOf(day: Day, clocks: readonly MemberClock[]) {
  const times = clocks.map(({ timeZone, reportAt }) => instantOf(addDays(day, 1), reportAt, timeZone));
  const earliest = (first: number, at: number) => Math.min(first, at);
  const latest = (last: number, at: number) => Math.max(last, at);
  return { first: times.reduce(earliest, Infinity), last: times.reduce(latest, -Infinity) };
}

/**
 * A group's days are looked at from the first report of its merchants until a day after the deadline
 * (`waitFor` after the last report), never before the day is over in the group's zone.
 */
function lookedDays({ settings, members }: GroupOwner, now: number): { day: Day; deadline: number }[] {
  const looked: { day: Day; deadline: number }[] = [];
  for (let day = addDays(dayAt(now, settings.timeZone), -1); ; day = addDays(day, -1)) {
    const { first, last } = memoized(members.reports, day, () => reportsOf(day, members.clocks));
    const deadline = last + settings.waitFor;
    if (deadline + LATE <= now) return looked;
    if (first <= now) looked.push({ day, deadline });
  }
}

/** Times of statements that only a group adds up: as the group's, on the merchant's clock. */
function timesForGroup(
  { timeZone, weekStart, statements }: MerchantSettings,
  { weekly, monthly, waitFor, correctFor }: GroupSettings,
): StatementTimes {
  return {
    ...{ timeZone, weekStart, waitFor, correctFor, closeAfter: statements?.closeAfter },
    weekly: statements?.weekly === undefined ? weekly : undefined,
    monthly: statements?.monthly === undefined ? monthly : undefined,
  };
}

/**
 * What is looked at in each open period, in the order of their names, so that the same look gives the same
 * items. A period before a merchant's `reportFrom` has no statement.
 */
export function openPeriods(
  { merchants, groups }: MerchantsAndGroups,
  time: LookTime,
  withPages: boolean,
): OpenPeriod[] {
  const { now } = time;
  const open = new Map<Period, OpenPeriod>();
  const known = new Map<string, ReturnType<typeof lookedPeriods>>();
  const looked = (times: StatementTimes, isMailed = false) =>
    memoized(known, JSON.stringify([times, isMailed]), () => lookedPeriods(times, time, isMailed));
  const opened = ({ period, kind, dueAt }: Pick<DuePeriod, 'period' | 'dueAt'> & { kind: PeriodKind }) => {
    const one = memoized(open, period, () => {
      return { period, kind, isRecent: false, statements: new Map(), pages: [] };
    });
    one.isRecent ||= now < dueAt + RECENT;
    return one;
  };
  const add = (merchant: MerchantSettings, times: StatementTimes, isMailed: boolean) => {
    for (const { due, look } of looked(times, isMailed)) {
      if (due.to < (merchant.reportFrom ?? '')) continue;
      const period = opened(due);
      // It is looked at although none of its days has changed.
      period.isRecent ||= look.isToClose;
      const { statements } = period;
      const before = statements.get(merchant);
      statements.set(merchant, before === undefined ? look : bothLooks(before, look));
    }
  };
  for (const merchant of merchants) {
    const { timeZone, weekStart, statements } = merchant;
    if (statements !== undefined) add(merchant, { timeZone, weekStart, ...statements }, true);
  }
  for (const owner of groups) {
    const { settings, members } = owner;
    for (const merchant of members.merchants) add(merchant, timesForGroup(merchant, settings), false);
    if (!withPages || members.merchants.length === 0) continue;
    const { timeZone, weekly, monthly, waitFor, correctFor, daily } = settings;
    const times = groupTimes({ timeZone, weekly, monthly, waitFor, correctFor }, members.weekStarts);
    for (const { due, look } of looked(times)) opened(due).pages.push({ owner, ...look });
    for (const { day, deadline } of daily ? lookedDays(owner, now) : []) {
      opened({ period: day, kind: 'day', dueAt: now }).pages.push({ owner, isIssued: true, deadline });
    }
  }
  return [...open.values()].sort((one, other) => (one.period < other.period ? -1 : 1));
}
