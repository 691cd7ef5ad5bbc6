import type { Day } from '#domain/day/business-day.ts';
import { duePeriods } from '#domain/period/due.ts';
import type { DuePeriod, StatementTimes } from '#domain/period/due.ts';
import { dueGroupDays, groupTimes } from '#domain/period/group-times.ts';
import type { DueGroupDay } from '#domain/period/group-times.ts';
import { membersOf } from '#domain/registry/group-members.ts';
import { allGroups } from '#domain/registry/groups.ts';
import { allMerchants } from '#domain/registry/merchants.ts';
import type { MerchantSettings } from '#domain/registry/registry-schema.ts';
import type { Registry } from '#domain/registry/registry.ts';
import type { ExpectedPage } from '#functions/delivery-watch/delivery.ts';

/** A statement or page that is due: the newest of its kind. */
export interface NewestStatement {
  expected: ExpectedPage;
  kind: 'day' | 'week' | 'month';
  /** The merchant's name. `null` for a group, which has only its own. */
  name: string | null;
  /** Days before it are not expected. */
  reportFrom: Day;
  /** Milliseconds UTC. Until then it waits for what is not sealed. */
  deadline: number;
}

type Due = Pick<DuePeriod | DueGroupDay, 'period' | 'kind' | 'from' | 'to' | 'deadline'>;

/** Milliseconds. The newest statement is shown until the next one is due, also where nothing is corrected so long. */
const SHOWN = 62 * 24 * 60 * 60 * 1_000;

/** Finds the newest periods of equal settings once: thousands of merchants share a few. */
class NewestPeriods {
  readonly #now: number;
  readonly #known = new Map<string, Due[]>();

  constructor(now: number) {
    this.#now = now;
  }

  of({ timeZone, weekStart, weekly, monthly, waitFor }: StatementTimes): Due[] {
    const times = { timeZone, weekStart, weekly, monthly, waitFor, correctFor: SHOWN };
    const key = JSON.stringify(times);
    const found = this.#known.get(key) ?? duePeriods(times, this.#now).filter(({ isNewest }) => isNewest);
    this.#known.set(key, found);
    return found;
  }
}

type Who = Pick<ExpectedPage, 'owner' | 'name' | 'timeZone' | 'recipients' | 'members'>;

function newest(who: Who, periods: readonly Due[], reportFrom: Day): NewestStatement[] {
  return periods
    .filter(({ to }) => to >= reportFrom)
    .map(({ period, kind, from, to, deadline }) => ({
      expected: { ...who, period, from, to, isDue: true, isRecent: true, entry: 'usable' },
      kind,
      name: who.name,
      reportFrom,
      deadline,
    }));
}

/** The newest day of a group whose page is due. */
function newestDay(waitFor: number, members: readonly MerchantSettings[], now: number): Due[] {
  const clocks = new Map(
    members.map(({ timeZone, reportAt }) => [`${timeZone} ${reportAt}`, { timeZone, reportAt }]),
  );
  return dueGroupDays({ waitFor, correctFor: SHOWN }, [...clocks.values()], now).slice(0, 1);
}

/**
 * The newest statement of each kind that is due, of each merchant and group. What a merchant gets only because a group adds it
 * up is left out: nobody is mailed.
 *
 * @param now milliseconds UTC
 */
export function newestStatements(registry: Registry, now: number): NewestStatement[] {
  const periods = new NewestPeriods(now);
  const { merchants } = allMerchants(registry);
  const usable = new Map(merchants.map((merchant) => [merchant.merchantCode, merchant]));
  const ofMerchants = merchants.flatMap(
    ({ merchantCode, name, recipients, statements, reportFrom = '', timeZone, weekStart }) => {
      if (statements === undefined) return [];
      const who = { owner: { merchantCode }, name, timeZone, recipients, members: null };
      return newest(who, periods.of({ timeZone, weekStart, ...statements }), reportFrom);
    },
  );
  const ofGroups = allGroups(registry).groups.flatMap((group) => {
    const { codes } = membersOf(group, registry);
    const members = codes.flatMap((code) => usable.get(code) ?? []);
    // Nobody can make the page of a group without merchants.
    if (members.length === 0) return [];
    const weekStarts = new Set(members.map(({ weekStart }) => weekStart));
    const due = [
      ...(group.daily ? newestDay(group.waitFor, members, now) : []),
      ...periods.of(groupTimes(group, weekStarts)),
    ];
    const { timeZone, recipients } = group;
    const who = { owner: { group: group.name }, name: null, timeZone, recipients, members: codes };
    return newest(who, due, '');
  });
  return [...ofMerchants, ...ofGroups];
}
