import type { Day } from '#domain/day/business-day.ts';
import { duePeriods } from '#domain/period/due.ts';
import type { DuePeriod, StatementTimes } from '#domain/period/due.ts';
import { dueGroupDays, groupTimes } from '#domain/period/group-times.ts';
import type { MemberClock } from '#domain/period/group-times.ts';
import { membersOf } from '#domain/registry/group-members.ts';
import { allGroups } from '#domain/registry/groups.ts';
import type { GroupSettings } from '#domain/registry/groups.ts';
import { allMerchants } from '#domain/registry/merchants.ts';
import type { MerchantSettings } from '#domain/registry/registry-schema.ts';
import type { Registry } from '#domain/registry/registry.ts';
import { ownerPart } from '#domain/storage/keys.ts';
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

/** Computed once for each kind of settings: thousands share a few. */
class DueOnce {
  readonly #time: WatchTime;
  readonly #known = new Map<string, Due[]>();

  constructor(time: WatchTime) {
    this.#time = time;
  }

  ofTimes(times: StatementTimes): Due[] {
    const { timeZone, weekStart, weekly, monthly, waitFor, correctFor } = times;
    const own = { timeZone, weekStart, weekly, monthly, waitFor, correctFor };
    return this.#once(['times', own], (now) => duePeriods(this.#longEnough(own), now));
  }

  ofGroupDays(times: Pick<StatementTimes, 'waitFor' | 'correctFor'>, clocks: readonly MemberClock[]): Due[] {
    const { waitFor, correctFor } = times;
    return this.#once(['days', waitFor, correctFor, clocks], (now) =>
      dueGroupDays(this.#longEnough({ waitFor, correctFor }), clocks, now),
    );
  }

  /** A statement is looked at for a while even where it is not corrected. */
  #longEnough<Times extends Pick<StatementTimes, 'waitFor' | 'correctFor'>>(times: Times): Times {
    const { waitFor, correctFor } = times;
    return { ...times, correctFor: Math.max(correctFor, waitFor + this.#time.margin + WATCHED) };
  }

  #once(kind: unknown, compute: (now: number) => Due[]): Due[] {
    const key = JSON.stringify(kind);
    const { now, margin } = this.#time;
    const known = this.#known.get(key) ?? compute(now).filter(({ deadline }) => deadline + margin <= now);
    this.#known.set(key, known);
    return known;
  }
}

type Expectation = Pick<ExpectedPage, 'owner' | 'name' | 'recipients' | 'members' | 'timeZone'>;

export interface ExpectedStatements {
  statements: ExpectedPage[];
  owners: ReadonlySet<string>;
}

export function expectedStatements(registry: Registry, time: WatchTime): ExpectedStatements {
  const due = new DueOnce(time);
  const expected: ExpectedPage[] = [];
  const owners = new Set<string>();
  const add = (who: Expectation, periods: readonly Due[], reportFrom: Day) => {
    owners.add(ownerPart(who.owner));
    for (const { period, from, to, deadline } of periods) {
      const isRecent = time.now < deadline + time.margin + WATCHED;
      if (to < reportFrom) continue;
      expected.push({ ...who, period, from, to, isRecent, isDue: true, entry: 'usable' });
    }
  };
  const merchants = new Map(allMerchants(registry).merchants.map((one) => [one.merchantCode, one]));
  for (const settings of merchants.values()) {
    const { merchantCode, name, timeZone, recipients, statements, reportFrom = '' } = settings;
    if (statements === undefined) continue;
    const who = { owner: { merchantCode }, name, timeZone, recipients, members: null };
    add(who, due.ofTimes({ ...settings, ...statements }), reportFrom);
  }
  for (const group of allGroups(registry).groups) {
    const { codes } = membersOf(group, registry);
    const members = codes.flatMap((code) => merchants.get(code) ?? []);
    const { name, timeZone, recipients } = group;
    const who = { owner: { group: name }, name: null, timeZone, recipients, members: codes };
    // Nobody can make the page of a group without merchants. `plan` and `daybook check` name it.
    if (members.length === 0) continue;
    const reportFrom = members.map((member) => member.reportFrom ?? '').sort()[0] ?? '';
    add(who, dueOfGroup(due, group, members), reportFrom);
  }
  return { statements: expected, owners };
}

function dueOfGroup(due: DueOnce, group: GroupSettings, members: readonly MerchantSettings[]): Due[] {
  const weekStarts = new Set(members.map(({ weekStart }) => weekStart));
  const periods = due.ofTimes(groupTimes(group, weekStarts));
  return group.daily ? [...due.ofGroupDays(group, clocksOf(members)), ...periods] : periods;
}

function clocksOf(members: readonly MerchantSettings[]): MemberClock[] {
  const clocks = new Map(
    members.map(({ timeZone, reportAt }) => [`${timeZone} ${reportAt}`, { timeZone, reportAt }]),
  );
  return [...clocks].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, clock]) => clock);
}
