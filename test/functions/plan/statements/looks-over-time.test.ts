import { addDays, WEEKDAYS, weekdayOf, type Weekday } from '#records/day/business-day.ts';
import { daysOf, periodDays, weekOf } from '#records/period/period.ts';
import { defined, fc, forAllAsync } from '#support/assertions/index.ts';
import { ListedBucket, looksAt } from '#support/plan/running-plan.ts';
import type { StatementMessage } from '#runtime/queue-message.ts';

/** What happens to a run: it ends well, it dies at once, or it dies after the seal. */
type Fate = 'ends' | 'dies at once' | 'dies before its mail';

/** Does what the function `statement` does with an item: it seals, unless nothing has changed, and mails once. */
function runStatement(
  bucket: ListedBucket,
  item: StatementMessage,
  { at, weekStart, fate }: { at: number; weekStart: Weekday; fate: Fate },
): void {
  if (fate === 'dies at once') return;
  const { period } = item;
  const owner = item.merchantCode === undefined ? { group: item.group } : { merchantCode: item.merchantCode };
  const newest = bucket.newest(owner, period);
  const named = new Map(newest?.named.days.map(({ day, revision }) => [day, revision]));
  const days = daysOf(periodDays(period, weekStart)).flatMap((day, index) => {
    const revision = Math.max(item.revisions?.[index] ?? 0, named.get(day) ?? 0);
    return revision === 0 ? [] : [{ day, revision }];
  });
  const isSame = newest !== undefined && JSON.stringify(newest.named.days) === JSON.stringify(days);
  if (!isSame) bucket.seal(owner, period, at, days, periodDays(period, weekStart));
  if (fate === 'ends') bucket.mail(owner, period, at);
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const CODE = '700001';
/** Days that are simulated. Nothing changes on the last three, so that every look that is due has been made. */
const LENGTH = 11;
const QUIET = 3;

const clocks = new Map<string, Intl.DateTimeFormat>();
const reached = new Map<string, number>();

/** The wall clock of the zone, `YYYY-MM-DD HH:MM`. It comes from the runtime's Intl, not from the code under test. */
function wallClock(instant: number, timeZone: string): string {
  const clock =
    clocks.get(timeZone) ??
    new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  clocks.set(timeZone, clock);
  return clock.format(instant);
}

/** The first time at which the wall clock shows this time or a later one. */
function whenReached(text: string, timeZone: string): number {
  const known = reached.get(`${text} ${timeZone}`);
  if (known !== undefined) return known;
  let instant = Date.parse(`${text.replace(' ', 'T')}Z`) - 15 * HOUR;
  while (wallClock(instant, timeZone) < text) instant += 15 * MINUTE;
  reached.set(`${text} ${timeZone}`, instant);
  return instant;
}

/** The first day after a period on which its statement comes. */
function nextOn(weekday: Weekday, to: string): string {
  let day = addDays(to, 1);
  while (WEEKDAYS[weekdayOf(day)] !== weekday) day = addDays(day, 1);
  return day;
}

const quarters = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.constantFrom('00', '15', '30', '45'))
  .map(([hour, minute]) => `${String(hour).padStart(2, '0')}:${minute}`);

const worlds = fc.record({
  timeZone: fc.constantFrom(
    ...['Asia/Kuwait', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Pacific/Apia'],
  ),
  weekStart: fc.constantFrom(...WEEKDAYS),
  on: fc.constantFrom(...WEEKDAYS),
  at: quarters,
  waitHours: fc.integer({ min: 1, max: 40 }),
  /** Clocks change in Berlin, New York and Lord Howe in the second, third and fourth of these stretches. */
  begin: fc.constantFrom('2026-11-10', '2026-10-20', '2026-10-27', '2026-09-28', '2027-03-08', '2027-03-22'),
  minutes: fc.constantFrom(30, 60),
  /** When each day is sealed, hours after its end; 99 is never. */
  delays: fc.array(fc.constantFrom(1, 6, 6, 6, 6, 6, 30, 80, 99), {
    minLength: LENGTH + 14,
    maxLength: LENGTH + 14,
  }),
  /** Days that are sealed again, and when, in hours of the simulation. */
  corrections: fc.array(fc.record({ day: fc.nat(LENGTH + 13), hour: fc.nat((LENGTH - QUIET) * 24) }), {
    maxLength: 5,
  }),
  /** Hours of the simulation without ticks. */
  outage: fc.record({ from: fc.nat((LENGTH - QUIET - 1) * 24), hours: fc.nat(23) }),
  fates: fc.infiniteStream(
    fc.constantFrom<Fate>('ends', 'ends', 'ends', 'ends', 'dies at once', 'dies before its mail'),
  ),
});

type World = typeof worlds extends fc.Arbitrary<infer One> ? One : never;

interface Simulation {
  bucket: ListedBucket;
  /** Whether looks were made in this time without a gap. */
  hadTicks: (from: number, until: number) => boolean;
  end: number;
  /** The newest whole revision of each day at a time, 0 without one. */
  sealedAt: (days: readonly string[], time: number) => number[];
}

/** Seals days, looks at every tick, and runs what is due. */
async function simulate(world: World): Promise<Simulation> {
  const { timeZone, weekStart, on, at, waitHours, minutes, delays, corrections, outage, fates } = world;
  const begin = Date.parse(world.begin);
  const seals: { day: string; time: number }[] = [];
  for (const [index, delay] of delays.entries()) {
    const day = addDays(world.begin, index - 14);
    const end = whenReached(`${addDays(day, 1)} 00:00`, timeZone);
    // Every third day is also sealed before it is over.
    if (index % 3 === 0) seals.push({ day, time: end - HOUR });
    if (delay < 99) seals.push({ day, time: end + delay * HOUR });
    for (const correction of corrections) {
      // While a statement is being made: after its look, and before its seal.
      const time = begin + correction.hour * HOUR + 2 * MINUTE;
      if (correction.day === index && time > end) seals.push({ day, time });
    }
  }
  seals.sort((one, other) => one.time - other.time);
  const quietFrom = begin + (LENGTH - QUIET) * DAY;
  const made = seals.filter(({ time }) => time < quietFrom);

  const bucket = new ListedBucket();
  const statements = { weekly: { on, at }, waitFor: `${waitHours}h`, correctFor: '30d' };
  const { look } = looksAt(bucket, { merchants: [{ merchantCode: CODE, timeZone, weekStart, statements }] });
  const isOut = (time: number) =>
    time >= begin + outage.from * HOUR && time < begin + (outage.from + outage.hours) * HOUR;
  const revisions = new Map<string, number>();
  const end = begin + LENGTH * DAY;
  const fate: Iterator<Fate, undefined> = fates[Symbol.iterator]();
  for (let tick = begin; tick < end; tick += minutes * MINUTE) {
    for (let next = made[0]; next !== undefined && next.time <= tick; next = made[0]) {
      made.shift();
      const revision = (revisions.get(next.day) ?? 0) + 1;
      revisions.set(next.day, revision);
      bucket.sealDay(CODE, next.day, next.time, revision);
    }
    if (isOut(tick)) continue;
    const { items } = await look(tick);
    if (items.length > 0) expect((await look(tick)).items).toEqual(items);
    const lives = tick < quietFrom ? defined(fate.next().value) : 'ends';
    for (const item of items) runStatement(bucket, item, { at: tick + 5 * MINUTE, weekStart, fate: lives });
  }

  return {
    bucket,
    end,
    hadTicks: (from, until) => {
      for (let tick = from; tick <= until; tick += minutes * MINUTE) if (isOut(tick)) return false;
      return true;
    },
    sealedAt: (days, time) =>
      days.map((day) => {
        const whole = whenReached(`${addDays(day, 1)} 00:00`, timeZone);
        const found = bucket.sealedDays.filter(
          (one) => one.day === day && one.storedAt <= time && one.storedAt >= whole,
        );
        return Math.max(0, ...found.map(({ revision }) => revision));
      }),
  };
}

test(
  'looks over time issue every week once, in its time, and follow its days',
  () =>
    forAllAsync([worlds], { numRuns: 10, endOnFailure: true }, async (world) => {
      const { timeZone, weekStart, on, at, waitHours, minutes } = world;
      const { bucket, end, sealedAt, hadTicks } = await simulate(world);
      const begin = Date.parse(world.begin);
      let weeks = 0;
      for (const index of [0, 1, 2]) {
        const period = weekOf(addDays(world.begin, 7 * index - 7), weekStart);
        const { from, to } = periodDays(period, weekStart);
        const days = daysOf({ from, to });
        const due = whenReached(`${nextOn(on, to)} ${at}`, timeZone);
        if (due < begin || due > end - QUIET * DAY) continue;
        weeks += 1;
        const deadline = due + waitHours * HOUR;
        const sealed = bucket.sealed.filter((one) => one.period === period);
        const [first] = sealed;

        // Nothing is issued before its time, and nothing incomplete before the deadline.
        if (first !== undefined) {
          const tick = first.storedAt - 5 * MINUTE;
          expect(tick).toBeGreaterThanOrEqual(due);
          if (tick < deadline) expect(sealedAt(days, tick)).not.toContain(0);
        }
        // Each revision names other days than the one before.
        for (const [number, one] of sealed.entries()) {
          expect(one.named.days).not.toEqual(sealed[number - 1]?.named.days);
        }
        // In the end the newest statement has its mail and names the newest revisions.
        const last = sealedAt(days, end);
        if (deadline + HOUR * 24 < end && last.some((revision) => revision > 0)) {
          const newest = defined(sealed.at(-1), `${period}, due ${new Date(due).toISOString()}`);
          const named = new Map(newest.named.days.map(({ day, revision }) => [day, revision]));
          expect(days.map((day) => named.get(day) ?? 0)).toEqual(last);
          expect(bucket.mailed).toContainEqual(
            expect.objectContaining({ period, revision: newest.revision }),
          );
        }
        // Without an outage a complete week is issued at the first tick.
        const soon = due + 2 * minutes * MINUTE;
        if (!sealedAt(days, due).includes(0) && hadTicks(due, soon) && first !== undefined) {
          expect(first.storedAt).toBeLessThanOrEqual(due + 4 * HOUR);
        }
      }
      fc.pre(weeks > 0);
    }),
  60_000,
);
