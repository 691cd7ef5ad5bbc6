import type { Day } from '#records/day/business-day.ts';
import { duePeriods, dueGroupDays, groupTimes } from '#records/period/due.ts';
import type { DuePeriod, StatementTimes, MemberClock } from '#records/period/due.ts';
import { membersOf, allGroups } from '#registry/groups.ts';
import { allMerchants } from '#registry/merchants.ts';
import type { MerchantSettings } from '#registry/registry-schema.ts';
import type { Registry } from '#registry/registry.ts';
import { ownerPart } from '#records/storage/keys.ts';
import type { ExpectedPage } from './delivery.ts';

/** Milliseconds after its deadline, as a day's report; then only what ops know to be missing. */
export const WATCHED = 24 * 60 * 60 * 1_000;

export interface WatchTime {
  /** Milliseconds UTC. */
  now: number;
  /** Milliseconds. */
  margin: number;
}

type Due = Pick<DuePeriod, 'period' | 'from' | 'to' | 'deadline'>;
type Waits = Pick<StatementTimes, 'waitFor' | 'correctFor'>;

/** Gives those periods of a merchant or group, and those days of a group, that somebody looks at. */
export interface PeriodsLookedAt {
  ofTimes: (times: StatementTimes) => readonly Due[];
  ofGroupDays: (waits: Waits, clocks: readonly MemberClock[]) => readonly Due[];
}

/** A statement or a group's page. */
export interface DuePage {
  page: ExpectedPage;
  /** Until when it waits for what is not sealed. Milliseconds UTC. */
  deadline: number;
  /** The first day that is reported, empty for all. */
  reportFrom: Day;
}

/** What a registry expects. */
interface DuePages {
  pages: DuePage[];
  /** All merchants and groups that get statements or pages, as `ownerPart` names them. */
  owners: ReadonlySet<string>;
}

type Expectation = Pick<ExpectedPage, 'owner' | 'name' | 'recipients' | 'members' | 'timeZone'>;

/** The statements and groups' pages of a registry, of the periods that are looked at. */
export function duePages(
  registry: Registry,
  { now, margin }: WatchTime,
  lookedAt: PeriodsLookedAt,
): DuePages {
  const { ofTimes, ofGroupDays } = eachOnce(lookedAt);
  const pages: DuePage[] = [];
  const owners = new Set<string>();
  const add = (who: Expectation, periods: readonly Due[], reportFrom: Day) => {
    owners.add(ownerPart(who.owner));
    for (const { period, from, to, deadline } of periods) {
      if (to < reportFrom) continue;
      const isDue = deadline + margin <= now;
      const isRecent = now < deadline + margin + WATCHED;
      const page = { ...who, period, from, to, isDue, isRecent, entry: 'usable' as const };
      pages.push({ page, deadline, reportFrom });
    }
  };
  const merchants = new Map(allMerchants(registry).merchants.map((one) => [one.merchantCode, one]));
  for (const settings of merchants.values()) {
    const { merchantCode, name, timeZone, recipients, statements, reportFrom = '' } = settings;
    if (statements === undefined) continue;
    const who = { owner: { merchantCode }, name, timeZone, recipients, members: null };
    add(who, ofTimes({ ...settings, ...statements }), reportFrom);
  }
  for (const group of allGroups(registry).groups) {
    const { codes } = membersOf(group, registry);
    const members = codes.flatMap((code) => merchants.get(code) ?? []);
    const { name, timeZone, recipients } = group;
    const who = { owner: { group: name }, name: null, timeZone, recipients, members: codes };
    // Nobody can make the page of a group without merchants. `plan` and `daybook check` name it.
    if (members.length === 0) continue;
    const reportFrom = members.map((member) => member.reportFrom ?? '').sort()[0] ?? '';
    const days = group.daily ? ofGroupDays(group, clocksOf(members)) : [];
    const weekStarts = new Set(members.map(({ weekStart }) => weekStart));
    add(who, [...days, ...ofTimes(groupTimes(group, weekStarts))], reportFrom);
  }
  return { pages, owners };
}

/** Computes the periods once for each kind of settings: thousands of merchants share a few. */
function eachOnce({ ofTimes, ofGroupDays }: PeriodsLookedAt): PeriodsLookedAt {
  const known = new Map<string, readonly Due[]>();
  const once = (kind: unknown, compute: () => readonly Due[]): readonly Due[] => {
    const key = JSON.stringify(kind);
    const found = known.get(key) ?? compute();
    known.set(key, found);
    return found;
  };
  return {
    ofTimes: ({ timeZone, weekStart, weekly, monthly, waitFor, correctFor }) => {
      const own = { timeZone, weekStart, weekly, monthly, waitFor, correctFor };
      return once(['times', own], () => ofTimes(own));
    },
    ofGroupDays: ({ waitFor, correctFor }, clocks) =>
      once(['days', waitFor, correctFor, clocks], () => ofGroupDays({ waitFor, correctFor }, clocks)),
  };
}

/** The clocks of a group's merchants, each once. */
function clocksOf(members: readonly MerchantSettings[]): MemberClock[] {
  const clocks = new Map(
    members.map(({ timeZone, reportAt }) => [`${timeZone} ${reportAt}`, { timeZone, reportAt }]),
  );
  return [...clocks].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, clock]) => clock);
}

/** What a registry expects. */
export interface ExpectedStatements {
  statements: ExpectedPage[];
  owners: ReadonlySet<string>;
}

export function expectedStatements(registry: Registry, time: WatchTime): ExpectedStatements {
  const { now, margin } = time;
  // A statement is looked at for a while even where it is not corrected.
  const longEnough = <Times extends Waits>(times: Times): Times => {
    const { waitFor, correctFor } = times;
    return { ...times, correctFor: Math.max(correctFor, waitFor + margin + WATCHED) };
  };
  const isOver = ({ deadline }: Due) => deadline + margin <= now;
  const { pages, owners } = duePages(registry, time, {
    ofTimes: (times) => duePeriods(longEnough(times), now).filter(isOver),
    ofGroupDays: (waits, clocks) => dueGroupDays(longEnough(waits), clocks, now).filter(isOver),
  });
  return { statements: pages.map(({ page }) => page), owners };
}
