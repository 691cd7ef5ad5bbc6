import type { Day } from '#records/day/business-day.ts';
import { addDays, dayAt, instantOf } from '#records/day/business-day.ts';
import type { DuePeriod, StatementTimes } from '#records/period/due.ts';
import { LATE, groupTimes } from '#records/period/due.ts';
import type { Period, PeriodKind } from '#records/period/period.ts';
import type { MerchantSettings } from '#registry/registry-schema.ts';
import { memoized } from '../memoized.ts';
import { LOOKS, lookedPeriods } from './looked-periods.ts';
import type { LookedPeriod, LookTime } from './looked-periods.ts';
import type { GroupOwner, MerchantsAndGroups, Members } from './merchants-and-groups.ts';

interface LookedDay {
  day: Day;
  /** Milliseconds UTC. From here on it is issued although merchants are missing. */
  deadline: number;
}

/** Milliseconds UTC. */
interface Reports {
  first: number;
  last: number;
}

function reportsOf(day: Day, { clocks }: Members): Reports {
  const reports: Reports = { first: Infinity, last: -Infinity };
  for (const { timeZone, reportAt } of clocks) {
    const at = instantOf(addDays(day, 1), reportAt, timeZone);
    reports.first = Math.min(reports.first, at);
    reports.last = Math.max(reports.last, at);
  }
  return reports;
}

/**
 * A group's days are looked at from the first report of its merchants until a day after the deadline
 * (`waitFor` after the last report), never before the day is over in the group's zone.
 */
function lookedDays(now: number): (owner: GroupOwner) => LookedDay[] {
  // Many groups may have the same merchants, and a registry may have many clocks.
  const known = new Map<Members, Map<Day, Reports>>();
  function reports(day: Day, members: Members): Reports {
    const days = known.get(members) ?? new Map<Day, Reports>();
    known.set(members, days);
    const found = days.get(day) ?? reportsOf(day, members);
    days.set(day, found);
    return found;
  }
  return ({ settings, members }) => {
    if (members.clocks.length === 0) return [];
    const looked: LookedDay[] = [];
    for (let day = addDays(dayAt(now, settings.timeZone), -1); ; day = addDays(day, -1)) {
      const { first, last } = reports(day, members);
      const deadline = last + settings.waitFor;
      if (deadline + LATE <= now) return looked;
      if (first <= now) looked.push({ day, deadline });
    }
  };
}

const DAY = 24 * 60 * 60 * 1_000;
/**
 * Milliseconds. Longer than anything but a change of a day takes: a month is the newest for 31 days, and a
 * page without its ledger is looked for in the week after.
 */
const RECENT = 45 * DAY;

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
  looks: Uint8Array;
  /** Milliseconds UTC, by merchant: from here on its statement is issued although days are missing. */
  deadlines: Float64Array;
  pages: OpenPage[];
}

class OpenPeriods {
  readonly #merchants: number;
  readonly #now: number;
  readonly #periods = new Map<Period, OpenPeriod>();

  constructor(merchants: number, now: number) {
    this.#merchants = merchants;
    this.#now = now;
  }

  /** Wanted by its merchant and by groups: the earliest deadline counts, and every look is made. */
  addStatement({ due, looks }: LookedPeriod, place: number): void {
    const open = this.#ofDue(due);
    open.looks[place] = (open.looks[place] ?? 0) | looks;
    open.deadlines[place] = Math.min(open.deadlines[place] ?? Infinity, due.deadline);
  }

  addPage(due: DuePeriod, page: OpenPage): void {
    this.#ofDue(due).pages.push(page);
  }

  addPageOfDay(day: Day, page: OpenPage): void {
    const open = this.#of(day, 'day');
    open.isRecent = true;
    open.pages.push(page);
  }

  #ofDue({ period, kind, dueAt }: DuePeriod): OpenPeriod {
    const open = this.#of(period, kind);
    open.isRecent ||= this.#now < dueAt + RECENT;
    return open;
  }

  #of(period: Period, kind: PeriodKind): OpenPeriod {
    const known = this.#periods.get(period);
    if (known !== undefined) return known;
    // A merchant has no statement of a day.
    const size = kind === 'day' ? 0 : this.#merchants;
    const open: OpenPeriod = {
      period,
      kind,
      isRecent: false,
      looks: new Uint8Array(size),
      deadlines: new Float64Array(size).fill(Infinity),
      pages: [],
    };
    this.#periods.set(period, open);
    return open;
  }

  /** In the order of their names, so that the same look gives the same items. */
  sorted(): OpenPeriod[] {
    return [...this.#periods.values()].sort((one, other) => (one.period < other.period ? -1 : 1));
  }
}

/** Times of statements that only a group adds up: as the group's, on the merchant's clock. */
function timesForGroup(
  { timeZone, weekStart, statements }: MerchantSettings,
  { settings }: GroupOwner,
): StatementTimes | undefined {
  const weekly = statements?.weekly === undefined ? settings.weekly : undefined;
  const monthly = statements?.monthly === undefined ? settings.monthly : undefined;
  if (weekly === undefined && monthly === undefined) return undefined;
  const { waitFor, correctFor } = settings;
  return { timeZone, weekStart, weekly, monthly, waitFor, correctFor };
}

/** What is looked at in each open period. One before a merchant's `reportFrom` has no statement. */
export function openPeriods(owners: MerchantsAndGroups, time: LookTime, withPages: boolean): OpenPeriod[] {
  const { merchants, groups } = owners;
  const open = new OpenPeriods(merchants.length, time.now);
  const answers = new Map<string, LookedPeriod[]>();
  const looked = (times: StatementTimes) =>
    memoized(answers, JSON.stringify(times), () => lookedPeriods(times, time));
  const add = (place: number, times: StatementTimes, mail: number) => {
    const reportFrom = merchants[place]?.reportFrom ?? '';
    for (const { due, looks } of looked(times)) {
      if (due.to >= reportFrom) open.addStatement({ due, looks: looks | mail }, place);
    }
  };
  for (const [place, { timeZone, weekStart, statements }] of merchants.entries()) {
    if (statements !== undefined) add(place, { timeZone, weekStart, ...statements }, LOOKS.mail);
  }
  const days = lookedDays(time.now);
  for (const owner of groups) {
    const { settings, members } = owner;
    for (const place of members.places) {
      const merchant = merchants[place];
      const times = merchant && timesForGroup(merchant, owner);
      if (times !== undefined) add(place, times, 0);
    }
    if (!withPages || members.places.length === 0) continue;
    const { timeZone, weekly, monthly, waitFor, correctFor } = settings;
    const times = groupTimes({ timeZone, weekly, monthly, waitFor, correctFor }, members.weekStarts);
    for (const { due, looks } of looked(times)) {
      const isIssued = (looks & LOOKS.issue) !== 0;
      open.addPage(due, { owner, isIssued, deadline: due.deadline });
    }
    if (!settings.daily) continue;
    for (const { day, deadline } of days(owner)) open.addPageOfDay(day, { owner, isIssued: true, deadline });
  }
  return open.sorted();
}
