import { addDays } from '#records/day/business-day.ts';
import { figuresOfDay } from '#records/figures/history.ts';
import type { StatedCounts } from '#records/figures/invoice-outcomes.ts';
import { changedDays, rangesOf, type RangeCounts } from '#page/daily-report/follow/changed-days.ts';
import { daysAtDistance, daysOfRound, type KnownDay } from '#page/daily-report/follow/due-days.ts';
import { sealedManifest } from '#support/records/manifests.ts';
import { defined, fc, forAllAsync } from '#support/assertions/index.ts';

const FIRST = '2026-08-01';
const TYPES = ['1', '0', '6'];
/** Nothing of it is open. */
const CLOSED = 12;

type Scope = 'type' | 'all' | 'day';
type ByType = Record<string, StatedCounts>;

const { followed, ...REST } = figuresOfDay(sealedManifest());
const FOLLOWED = defined(followed);
const OUTCOMES = defined(FOLLOWED.outcomes);

function countsOf(paid: number, notPaid: number): StatedCounts {
  return { listed: paid + notPaid, total: paid + notPaid, paid, notPaid, cancelled: 0 };
}

const NONE = countsOf(0, 0);

function sumOf(list: readonly StatedCounts[]): StatedCounts {
  const sum = (name: 'paid' | 'notPaid') => list.reduce((all, one) => all + (one[name] ?? 0), 0);
  return countsOf(sum('paid'), sum('notPaid'));
}

/** What a service states of days. */
function answer(days: readonly ByType[], type: string, scope: Scope): StatedCounts {
  const ofType = sumOf(days.map((day) => day[type] ?? NONE));
  const last = days.at(-1)?.[type] ?? NONE;
  const counted =
    scope === 'type' ? ofType : scope === 'day' ? last : sumOf(days.flatMap((day) => Object.values(day)));
  return { ...counted, listed: ofType.listed };
}

function known(index: number, day: ByType, scope: Scope): KnownDay {
  const stated = Object.fromEntries(TYPES.map((type) => [type, answer([day], type, scope)]));
  const outcomes = index === CLOSED ? { ...OUTCOMES, open: [] } : OUTCOMES;
  return { ...REST, day: addDays(FIRST, index), followed: { ...FOLLOWED, stated, outcomes } };
}

const counts = fc
  .record({ paid: fc.nat(5), notPaid: fc.nat(5) })
  .map(({ paid, notPaid }) => countsOf(paid, notPaid));
const day: fc.Arbitrary<ByType> = fc.record(
  { 1: counts, 0: counts, 6: fc.constant(NONE) },
  { requiredKeys: ['1'] },
);
/** Days as they were read, and as they are. Most have not changed. */
const days = fc.array(
  fc
    .record({ before: day, after: fc.option(day, { freq: 4 }) })
    .map(({ before, after }) => ({ before, after: after ?? before })),
  { minLength: 1, maxLength: 90 },
);

async function foundIn(list: readonly { before: ByType; after: ByType }[], scope: Scope) {
  let requests = 0;
  const found = await changedDays(
    list.map(({ before }, index) => known(index, before, scope)),
    TYPES,
    ({ from, to }, types) => {
      requests += types.length;
      const isAsked = (_: unknown, index: number) =>
        addDays(FIRST, index) >= from && addDays(FIRST, index) <= to;
      const asked = list.filter(isAsked).map(({ after }) => after);
      const said: RangeCounts = new Map(types.map((type) => [type, answer(asked, type, scope)]));
      return Promise.resolve(said);
    },
    { since: undefined, day: addDays(FIRST, list.length) },
  );
  return { ...found, requests };
}

/** A day of three paid and two unpaid invoices, of which others were paid since. */
const become = (paid: number, notPaid: number) => ({
  before: { 1: countsOf(3, 2) },
  after: { 1: countsOf(paid, notPaid) },
});
const SAME = become(3, 2);

describe('the changed days of a range', () => {
  it.each(['type', 'all'] as const)('are read until no count shows a change, with counts of %s', (scope) =>
    forAllAsync([days], { numRuns: 60 }, async (all) => {
      let list = all;
      for (;;) {
        const { days: changed } = await foundIn(list, scope);
        if (changed.length === 0) break;
        const isRead = (index: number) => changed.includes(addDays(FIRST, index));
        // Only days that have changed are named.
        for (const [index, { before, after }] of list.entries())
          if (isRead(index)) expect(after).not.toEqual(before);
        list = list.map(({ before, after }, index) => ({
          before: isRead(index) ? after : before,
          after,
        }));
      }
      for (const type of TYPES) {
        const sums = (of: 'before' | 'after') => sumOf(list.map((one) => one[of][type] ?? NONE));
        if (scope === 'type') expect(sums('before')).toEqual(sums('after'));
        expect(sums('before').listed).toBe(sums('after').listed);
      }
    }),
  );

  it('are one request a type when nothing has changed, and one more for each halving', async () => {
    const quiet = Array.from({ length: 64 }, () => SAME);
    const list = quiet.with(20, become(4, 1));
    for (const scope of ['type', 'all'] as const) {
      expect(await foundIn(quiet, scope)).toEqual({ days: [], byStats: true, requests: 3 });
      const { requests, ...found } = await foundIn(list, scope);
      expect(found).toEqual({ days: [addDays(FIRST, 20)], byStats: true });
      expect(requests).toBeLessThanOrEqual(3 + 7);
    }
  });

  it('are asked for one by one, where the counts are of one day', async () => {
    const list = Array.from({ length: 30 }, () => SAME)
      .with(4, become(3, 3))
      .with(9, become(4, 1))
      .with(CLOSED, become(4, 1));
    const { requests, ...found } = await foundIn(list, 'day');
    expect(found).toEqual({ days: [addDays(FIRST, 4), addDays(FIRST, 9)], byStats: true });
    // The list's halvings, and one for each other day that is asked for alone: nothing of other types is on them.
    expect(requests).toBeLessThanOrEqual(3 + 7 + 28);
  });

  it('are asked for without the days that have no page', () => {
    const all = [0, 1, 2, 5, 6].map((index) => known(index, { 1: countsOf(1, 1) }, 'type'));
    expect(rangesOf(all).map((range) => range.length)).toEqual([3, 2]);
  });
});

function open(age: number, lastDayAfter: number): KnownDay {
  const one = addDays('2026-11-20', -age);
  const left = [{ lastDay: addDays(one, lastDayAfter), count: 1, amount: '1.000' }];
  return { ...REST, day: one, followed: { ...FOLLOWED, outcomes: { ...OUTCOMES, open: left } } };
}

describe('the days that are read again', () => {
  const morning = { since: '2026-11-19', day: '2026-11-20' };
  const ages = Array.from({ length: 90 }, (_, index) => index + 1);

  /** The ages of the days that are chosen where the last link of each ends so many days after it. */
  function agesBy(choose: typeof daysOfRound, lastDayAfter: number, of = morning): number[] {
    const found = choose(
      ages.map((age) => open(age, lastDayAfter)),
      of,
    );
    return found.map((one) => (Date.parse('2026-11-20') - Date.parse(one)) / 86_400_000);
  }

  it('once a fortnight are those with something open', () => {
    expect(agesBy(daysOfRound, 100)).toEqual([14, 28, 42, 56, 70, 84]);
    expect(agesBy(daysOfRound, 7)).toEqual([14]);
    expect(agesBy(daysOfRound, -1)).toEqual([]);
  });

  it('at distances, and after the last day of a link, are those of all mornings since the last report', () => {
    expect(agesBy(daysAtDistance, 100)).toEqual([1, 3, 7, 14, 30, 60, 90]);
    expect(agesBy(daysAtDistance, 20)).toEqual([1, 3, 7, 14, 20]);
    const isDue = (age: number) =>
      [1, 3, 7, 14, 30, 60, 90].some((distance) => age - 4 < distance && distance <= age);
    const late = { since: '2026-11-16', day: '2026-11-20' };
    expect(agesBy(daysAtDistance, 100, late)).toEqual(ages.filter(isDue));
  });
});
