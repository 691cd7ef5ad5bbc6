import { backfillItems, dayItems, dueItems } from '#functions/plan/create-plan.ts';
import { readPlanEvent } from '#functions/plan/plan-event.ts';
import { addDays } from '#sandbox/payments/day/calendar.ts';
import { tickWindow, type LastTick } from '#plan/tick-store.ts';
import type { DaysMessage } from '#runtime/queue-message.ts';
import { defined, fc, forAll, textWith } from '#support/assertions/index.ts';
import { merchant } from '#support/plan/running-plan.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

describe('by hand', () => {
  /** 02:30 of the 21st in Kuwait, still the 20th in New York. */
  const now = Date.parse('2026-11-20T23:30:00Z');
  const NOW = new Date(now).toISOString();
  const SCHEDULED = '2026-11-11T03:00:00Z';
  const kuwait = merchant({ merchantCode: 'KW' });
  const newYork = merchant({ merchantCode: 'NY', timeZone: 'America/New_York' });
  const later = merchant({ merchantCode: 'KW', reportFrom: '2026-11-20' });

  function items(members: Record<string, unknown>, merchants = [kuwait, newYork]): DaysMessage[] {
    const event = readPlanEvent({ kind: 'daily', ...members });
    if (event.is === 'day') return dayItems(merchants, event, now);
    if (event.is === 'backfill') return backfillItems(merchants, event, now);
    throw new Error('this test is about events by hand');
  }

  test.each<[string, Record<string, unknown>, string[], boolean]>([
    ['yesterday in the zone, with mail', {}, ['2026-11-20', '2026-11-19'], true],
    ['today, without mail', { day: 'today', send: false }, ['2026-11-21', '2026-11-20'], false],
  ])('one day is %s, without lookback', (_what, members, days, send) => {
    expect(items(members)).toEqual(
      ['KW', 'NY'].map((merchantCode, index) => ({
        ...{ merchantCode, days: [days[index]], send, scheduledTime: NOW },
      })),
    );
  });

  test('with a scheduled time one day is yesterday at that time, or a date after it that has begun', () => {
    const on = (day: string) => items({ day, scheduledTime: SCHEDULED }, [kuwait]);
    const item = { merchantCode: 'KW', days: ['2026-11-10'], send: true, scheduledTime: SCHEDULED };
    expect(on('yesterday')).toEqual([item]);
    expect(on('2026-11-20')).toMatchObject([{ days: ['2026-11-20'] }]);
  });

  test.each([
    ['day', { day: '2026-11-21' }],
    ['to', { from: '2026-11-19', to: '2026-11-21' }],
  ])(
    'a date that has not begun everywhere is refused, with the names of member and merchant: %s',
    (member, wrong) => {
      expect(() => items(wrong)).toThrow(
        `the event is not usable: ${member}: 2026-11-21 has not begun yet in America/New_York, the zone of merchant NY`,
      );
      expect(items(wrong, [kuwait])).toHaveLength(1);
    },
  );

  test.each<[Record<string, unknown>, boolean]>([
    [{ day: '2026-11-19' }, false],
    [{ day: '2026-11-19', send: true }, true],
    [{ day: '2026-11-20' }, true],
  ])('a day before reportFrom is mailed only when the event says so: %j', (members, send) => {
    expect(items(members, [later])).toMatchObject([{ send }]);
  });

  test('a backfill is every day from the first to the last, mailed only if the event says so', () => {
    const range = { from: '2026-02-27', to: '2026-03-01' };
    const days = ['2026-02-27', '2026-02-28', '2026-03-01'];
    const item = { merchantCode: 'KW', days, send: false, scheduledTime: NOW };
    expect(items(range, [later])).toEqual([item]);
    expect(items({ ...range, send: true }, [later])).toEqual([{ ...item, send: true }]);
    expect(items({ from: '2026-11-19', to: '2026-11-20' })).toHaveLength(2);
  });
});

const ZONES = [
  ...['Asia/Kuwait', 'Asia/Kolkata', 'Europe/Berlin', 'America/New_York', 'America/St_Johns'],
  ...['Australia/Lord_Howe', 'Pacific/Chatham'],
];

function due(members: Record<string, unknown>, since: string, tick: string, send?: boolean): DaysMessage[] {
  return dueItems([merchant(members)], { since, tick }, { scheduledTime: tick, send });
}

/** The days that are reported in consecutive windows, without lookback. */
function reportedOver(members: Record<string, unknown>, times: readonly number[]): string[] {
  return times.slice(1).flatMap((until, index) => {
    const [since = '', tick = ''] = [defined(times[index]), until].map((at) => new Date(at).toISOString());
    return due({ ...members, lookbackDays: [] }, since, tick).flatMap(({ days }) => days);
  });
}

/** The wall clock of the zone, `YYYY-MM-DD HH:MM`. It comes from the runtime's Intl, not from the code under test. */
function wallClock(instant: number, timeZone: string): string {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  return format.format(instant);
}

const dayAfter = (day: string) => addDays(day, 1);

const zones = fc.constantFrom(...ZONES);
const two = (number: number) => String(number).padStart(2, '0');
const timesOfDay = fc.nat(24 * 60 - 1).map((minute) => `${two(Math.floor(minute / 60))}:${two(minute % 60)}`);

/** Times of ticks over a few weeks in which the clocks may change. Any two neighbours are at most a day apart. */
const tickTimes = fc
  .tuple(
    // The second Sunday of March to the first of April, October, November, and any other time within three years.
    fc.oneof(
      fc.constantFrom('2026-03-05', '2026-03-25', '2026-04-02', '2026-10-01', '2026-10-22', '2026-10-30'),
      fc.nat(1_000).map((days) => addDays('2025-01-01', days)),
    ),
    fc.nat(24 * 60 - 1),
    fc.array(fc.integer({ min: 1, max: 24 * 60 }), { minLength: 1, maxLength: 60 }),
  )
  .map(([date, minute, gaps]) => {
    const times = [Date.parse(date) + minute * MINUTE];
    for (const gap of gaps) times.push(defined(times.at(-1)) + gap * MINUTE);
    return times;
  });

describe('at a tick', () => {
  const WINDOW = ['2026-11-21T02:45:00Z', '2026-11-21T03:00:00Z'] as const;

  test('every day of a merchant becomes due exactly once, whatever the ticks', () =>
    forAll([zones, timesOfDay, tickTimes], { numRuns: 500 }, (timeZone, reportAt, times) => {
      const days = reportedOver({ timeZone, reportAt }, times);
      for (const [index, day] of days.slice(1).entries()) expect(day).toBe(dayAfter(defined(days[index])));
      // The reported days are those that the wall clock passed. A clock change at the ends may add or remove an hour.
      const spanned = (defined(times.at(-1)) - defined(times[0])) / DAY;
      expect(Math.abs(days.length - spanned)).toBeLessThanOrEqual(1 + 1 / 24);
    }));

  test('a day becomes due in the window in which the wall clock of the next day reaches reportAt', () =>
    forAll([zones, timesOfDay, tickTimes], { numRuns: 200 }, (timeZone, reportAt, times) => {
      for (const [index, until] of times.slice(1).entries()) {
        const since = defined(times[index]);
        for (const day of reportedOver({ timeZone, reportAt }, [since, until])) {
          const moment = `${dayAfter(day)} ${reportAt}`;
          // The clock may have gone back since then, by an hour at most.
          const wasReached = Array.from({ length: 61 }).some(
            (_, minutes) => wallClock(until - minutes * MINUTE, timeZone) >= moment,
          );
          expect(wasReached).toBe(true);
          // An hour before the window that time was not yet reached, even if the clock has changed since then.
          expect(wallClock(since - HOUR, timeZone) < moment).toBe(true);
        }
      }
    }));

  const LOOKBACK = ['2026-11-20', '2026-11-19', '2026-11-17', '2026-11-13'];
  const of = (reportFrom: string, more = {}) => ({ reportFrom, ...more });
  const [recent, older] = [LOOKBACK.slice(0, 2), LOOKBACK.slice(2)];

  test.each<[string, Record<string, unknown>, boolean | undefined, string[][]]>([
    ['lookback counts from the reported day', {}, undefined, [LOOKBACK]],
    ['no day before reportFrom is due', of('2026-11-21'), undefined, []],
    ['lookback days before reportFrom are not mailed', of('2026-11-18'), undefined, [recent, older]],
    ['reportFrom may be the day', of('2026-11-20', { lookbackDays: [] }), undefined, [['2026-11-20']]],
    ['send: false applies to all days', of('2026-11-18'), false, [LOOKBACK]],
  ])('%s', (_what, members, asked, wanted) => {
    const [, scheduledTime] = WINDOW;
    expect(due(members, ...WINDOW, asked)).toEqual(
      wanted.map((days, index) => ({
        ...{ merchantCode: '700001', days, scheduledTime },
        send: asked !== false && index === 0,
      })),
    );
  });

  test('two due days of one window come before their lookback days, and no day appears twice', () => {
    // 06:00 on the 28th and on the 29th: the night between is one hour shorter.
    const berlin = { timeZone: 'Europe/Berlin', lookbackDays: [1, 3] };
    expect(due(berlin, '2026-03-28T04:30:00Z', '2026-03-29T04:15:00Z')).toMatchObject([
      { days: ['2026-03-27', '2026-03-28', '2026-03-26', '2026-03-24', '2026-03-25'] },
    ]);
  });

  test('merchants in the same zone with different hours are told apart', () => {
    const [since, tick] = WINDOW;
    const items = dueItems(
      [
        merchant({ merchantCode: 'A', reportAt: '06:00' }),
        merchant({ merchantCode: 'B', reportAt: '06:15' }),
        merchant({ merchantCode: 'C', timeZone: 'Europe/Berlin', reportAt: '06:00' }),
        merchant({ merchantCode: 'D', reportAt: '06:00', lookbackDays: [2] }),
      ],
      { since, tick },
      { scheduledTime: tick, send: undefined },
    );
    expect(items.map(({ merchantCode, days }) => `${merchantCode} ${days.length}`)).toEqual(['A 4', 'D 2']);
  });
});

describe('the window of a tick', () => {
  const now = Date.parse('2026-11-21T03:00:05Z');
  const last = { is: 'known', tick: '2026-11-21T02:45:00Z', since: '2026-11-21T02:30:00.000Z' } as const;
  const NEXT_YEAR = { ...last, tick: '2027-11-21T02:45:00Z', since: '2027-11-21T02:30:00.000Z' };
  const LOST = { is: 'spoilt', reason: 'is not JSON' } as const;

  test.each<[string, string, LastTick, string, boolean]>([
    ['fifteen minutes for the first tick', '2026-11-21T03:00:00Z', { is: 'none' }, '2026-11-21T02:45', true],
    ['the same for the same tick', '2026-11-21T02:45:00.000Z', last, '2026-11-21T02:30', false],
    ['fifteen minutes for a late tick', '2026-11-21T01:00:00Z', last, '2026-11-21T00:45', false],
    // The ticks that were missed before somebody wrote that are made up for.
    ['not affected by a tick of next year', '2026-11-21T03:00:00Z', NEXT_YEAR, '2026-11-20T03:00', true],
    // So that no merchant is left out.
    ['24 hours if the last tick is lost', '2026-11-21T03:00:00Z', LOST, '2026-11-20T03:00', true],
    ['24 hours at most', '2026-11-30T06:00:00Z', last, '2026-11-29T06:00', true],
  ])('is %s', (_what, tick, before, since, isNewest) => {
    const time = Math.max(now, Date.parse(tick));
    expect(tickWindow(tick, before, time)).toEqual({ tick, since: `${since}:00.000Z`, isNewest });
  });

  test.each([
    ['years ago', '2019-01-01T00:00:00Z', '2026-11-20T02:45:00.000Z'],
    ['after it ended', '2026-11-22T00:00:00Z', '2026-11-21T02:45:00.000Z'],
  ])('never begins %s, whatever is recorded', (_, since, expected) => {
    expect(tickWindow(last.tick, { ...last, since }, now).since).toBe(expected);
  });

  test('of missed, repeated and late ticks covers all the time; the newest ticks cover no moment twice', () => {
    const ticks = fc.array(
      fc.record({ gap: fc.integer({ min: 1, max: 96 }), repeats: fc.integer({ min: 0, max: 2 }) }),
      { minLength: 1, maxLength: 40 },
    );
    forAll([ticks], (all) => {
      let remembered: LastTick = { is: 'none' };
      let time = Date.parse('2026-03-20T00:00:00Z');
      let covered: number | undefined;
      for (const { gap, repeats } of all) {
        const late = new Date(time).toISOString();
        time += gap * 15 * MINUTE;
        const tick = new Date(time).toISOString();
        const window = tickWindow(tick, remembered, time);
        expect(window.isNewest).toBe(true);
        if (covered !== undefined) expect(Date.parse(window.since)).toBe(covered);
        remembered = { is: 'known', tick: window.tick, since: window.since };
        covered = time;
        for (let repeat = 0; repeat < repeats; repeat += 1) {
          expect(tickWindow(tick, remembered, time)).toEqual({ ...window, isNewest: false });
          expect(tickWindow(late, remembered, time).isNewest).toBe(false);
        }
      }
    });
  });
});

const scheduledTime = '2026-11-21T03:00:00Z';
const merchants = ['700001'];
test.each<{ daily?: object; alert?: object; statement?: object; means: object }>([
  { daily: { scheduledTime }, means: { is: 'tick', byHand: false } },
  { daily: { scheduledTime, send: true }, means: { is: 'tick', byHand: false } },
  { daily: { scheduledTime, dryRun: true }, means: { is: 'tick', byHand: true } },
  { daily: { scheduledTime, send: false }, means: { is: 'tick', byHand: true } },
  { daily: { scheduledTime, merchants }, means: { is: 'tick', byHand: true } },
  { daily: { day: '2026-11-20' }, means: { is: 'day', byHand: true } },
  { daily: {}, means: { is: 'day', day: 'yesterday', byHand: true } },
  { daily: { day: 'today', scheduledTime }, means: { is: 'day', day: 'today', scheduledTime, byHand: true } },
  { daily: { from: '2026-11-01', to: '2026-11-01' }, means: { is: 'backfill', byHand: true } },
  { daily: { from: '2025-11-21', to: '2026-12-25' }, means: { is: 'backfill' } },
  { alert: { scheduledTime }, means: { is: 'day', day: 'today', scheduledTime, byHand: false } },
  { alert: { day: '2026-11-20' }, means: { is: 'day', day: '2026-11-20', byHand: true } },
  { statement: { scheduledTime }, means: { is: 'statements', scheduledTime, byHand: false } },
  { statement: {}, means: { is: 'statements', scheduledTime: undefined, byHand: true } },
  { statement: { scheduledTime, merchants }, means: { is: 'statements', merchants, byHand: true } },
  { statement: { scheduledTime, send: false }, means: { is: 'statements', send: false, byHand: true } },
])('the meaning of an event: %j', ({ means, ...event }) => {
  for (const [kind, members] of Object.entries(event))
    expect(readPlanEvent({ kind, ...members })).toMatchObject(means);
});

describe('an unusable event causes an error that names the member', () => {
  test.each([
    [undefined, '(root)'],
    [[], '(root)'],
    [{}, 'kind'],
    [{ kind: 'hourly' }, 'kind'],
    [{ kind: 'daily', scheduledTime: '2026-11-21' }, 'scheduledTime'],
    [{ kind: 'daily', scheduledTime: '2026-11-21T03:00:00+03:00' }, 'scheduledTime'],
    [{ kind: 'daily', merchants: [] }, 'merchants'],
    [{ kind: 'daily', merchants: ['700001', '../x'] }, 'merchants[1]'],
    [{ kind: 'daily', day: '2026-02-30' }, 'day'],
    [{ kind: 'daily', day: 'tomorrow' }, 'day'],
    [{ kind: 'daily', from: '2026-11-01' }, 'to'],
    [{ kind: 'daily', to: '2026-11-01' }, 'from'],
    [{ kind: 'daily', from: 'x', to: '2026-11-01' }, 'from'],
    [{ kind: 'daily', from: '2026-11-02', to: '2026-11-01' }, 'to'],
    [{ kind: 'daily', from: '2025-11-20', to: '2026-12-25' }, 'to'],
    [{ kind: 'daily', from: '2026-11-01', to: '2026-11-02', day: 'today' }, 'day'],
    [{ kind: 'alert', from: '2026-11-01', to: '2026-11-02' }, 'from'],
    [{ kind: 'daily', send: 'false' }, 'send'],
    [{ kind: 'alert', send: false }, 'send'],
    [{ kind: 'daily', form: '2026-11-01' }, 'form'],
    [{ kind: 'statement', day: 'today' }, 'day'],
    [{ kind: 'statement', from: '2026-11-01', to: '2026-11-02' }, 'from'],
    [{ kind: 'daily', scheduledTime, remember: true }, 'remember'],
    [{ kind: 'daily', dryRun: 'yes' }, 'dryRun'],
  ])('%j', (event, member) => {
    const message = textWith(`the event is not usable: ${member}: `);
    expect(() => readPlanEvent(event)).toThrow(
      expect.objectContaining({ name: 'InvalidEventError', member, message }),
    );
  });

  test('and the error never repeats the value', () => {
    const secret = 'hunter2-token';
    for (const member of ['kind', 'scheduledTime', 'day', 'from', 'send', 'merchants']) {
      expect(() => readPlanEvent({ kind: 'daily', [member]: secret })).not.toThrow(secret);
    }
  });
});
