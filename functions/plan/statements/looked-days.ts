import { addDays, dayAt, instantOf } from '#domain/day/business-day.ts';
import type { Day } from '#domain/day/business-day.ts';
import { LATE } from '#domain/period/due.ts';
import type { GroupOwner, Members } from './owners.ts';

/** A day whose page a group may have to get. */
export interface LookedDay {
  day: Day;
  /** Milliseconds UTC. From here on it is issued although merchants are missing. */
  deadline: number;
}

/** When the first and the last report of a day are due, milliseconds UTC. */
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
 * Finds the days of a group that are looked at: from the first report of its merchants until a day after the deadline, and
 * never before the day is over in the group's zone. The deadline is `waitFor` after the last report.
 *
 * @param now milliseconds UTC
 */
export function lookedDays(now: number): (owner: GroupOwner) => LookedDay[] {
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
