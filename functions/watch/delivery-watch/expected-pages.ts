import * as z from 'zod';
import { addDays, daysReaching } from '#records/day/business-day.ts';
import type { Day } from '#records/day/business-day.ts';
import { allMerchants } from '#registry/merchants.ts';
import { codesInEntries } from '#registry/registry.ts';
import { merchantSchema } from '#registry/registry-schema.ts';
import { MERCHANT_CODE, ownerPart } from '#records/storage/keys.ts';
import type { Registry } from '#registry/registry.ts';
import type { SealedPages } from '#page/page-store.ts';
import type { ExpectedPage } from './delivery.ts';
import type { MerchantSettings } from '#registry/registry-schema.ts';
import { duePeriods, dueGroupDays, groupTimes } from '#records/period/due.ts';
import type { DuePeriod, StatementTimes, MemberClock } from '#records/period/due.ts';
import { membersOf, allGroups, clocksOf } from '#registry/groups.ts';
import { memoized } from '#registry/once.ts';

/** At `reportAt` (`HH:MM`) in the zone, on the day after. */
export type ReportClock = Pick<MerchantSettings, 'timeZone' | 'reportAt' | 'reportFrom'>;

const members = z.lazy(() => z.record(z.string(), z.unknown()));
const timeZone = z.lazy(() => merchantSchema.unwrap().shape.timeZone);
const reportAt = z.lazy(() => merchantSchema.unwrap().shape.reportAt);
const reportFrom = z.lazy(() => merchantSchema.unwrap().shape.reportFrom);

function firstUsable<T>(schema: z.ZodType<T>, ...candidates: unknown[]): T {
  for (const candidate of candidates) {
    const read = schema.safeParse(candidate);
    if (candidate !== undefined && read.success) return read.data;
  }
  return schema.parse(undefined);
}

/** The clock of an entry, usable or not: what it lacks comes from the defaults, then the product's. */
export function reportClock({ defaults }: Pick<Registry, 'defaults'>, entry: unknown): ReportClock {
  const own = members.safeParse(entry).data ?? {};
  return {
    timeZone: firstUsable(timeZone, own['timeZone'], defaults['timeZone']),
    reportAt: firstUsable(reportAt, own['reportAt'], defaults['reportAt']),
    reportFrom: firstUsable(reportFrom, own['reportFrom'], defaults['reportFrom']),
  };
}

const HOUR = 60 * 60_000;
/** Milliseconds: longer than two days with changes of the clock. */
const LOOK_BACK = 50 * HOUR;

/** The newest day whose report is due, in the zone of the clock. @param moment milliseconds UTC */
export function newestDueDay({ timeZone, reportAt }: ReportClock, moment: number): Day {
  const last = daysReaching(reportAt, timeZone, moment - LOOK_BACK, moment).at(-1);
  // None only when the zone skipped a whole date: the day before the current one is right then, too.
  return addDays(last ?? new Date(moment).toISOString().slice(0, 10), -1);
}

export type DueDay = (clock: ReportClock) => { day: Day; isDue: boolean };

/**
 * Computes each answer once.
 * @param asked a day, or one by zone; `undefined`: the newest due
 * @param moment milliseconds UTC by which an hour must have come
 */
export function dueDays(asked: Day | ((timeZone: string) => Day) | undefined, moment: number): DueDay {
  const known = new Map<string, ReturnType<DueDay>>();
  return (clock) => {
    const { timeZone, reportAt } = clock;
    return memoized(known, `${timeZone} ${reportAt}`, () => {
      const newest = newestDueDay(clock, moment);
      const day = (typeof asked === 'function' ? asked(timeZone) : asked) ?? newest;
      return { day, isDue: day <= newest };
    });
  };
}

type Expectation = Pick<ExpectedPage, 'owner' | 'name' | 'entry' | 'recipients'>;

/** No report is expected before the merchant's `reportFrom`. */
function expected(who: Expectation, clock: ReportClock, dueDay: DueDay): ExpectedPage[] {
  const due = dueDay(clock);
  return due.day < (clock.reportFrom ?? '') ? [] : [expectedReport(who, due, clock.timeZone)];
}

export function expectedReport(
  who: Expectation,
  { day, isDue }: ReturnType<DueDay>,
  timeZone: string,
): ExpectedPage {
  return { ...who, period: day, from: day, to: day, timeZone, isDue, isRecent: true, members: null };
}

const codeSchema = z.lazy(() => z.object({ merchantCode: z.string().regex(MERCHANT_CODE) }));

/** Reports of all merchants, each once, of usable entries or not; without a usable code by path: `merchants[3]`. */
export function namedReports(registry: Registry, dueDay: DueDay): ExpectedPage[] {
  const usable = new Map(
    allMerchants(registry).merchants.map((merchant) => [merchant.merchantCode, merchant]),
  );
  const reports = new Map<string, ExpectedPage[]>();
  for (const [index, entry] of registry.merchants.entries()) {
    const merchantCode = codeSchema.safeParse(entry).data?.merchantCode ?? `merchants[${index}]`;
    const settings = usable.get(merchantCode);
    const who: Expectation =
      settings === undefined
        ? { owner: { merchantCode }, name: null, entry: 'not usable', recipients: [] }
        : { owner: { merchantCode }, name: settings.name, entry: 'usable', recipients: settings.recipients };
    const clock = settings ?? reportClock(registry, entry);
    if (!reports.has(merchantCode)) reports.set(merchantCode, expected(who, clock, dueDay));
  }
  return [...reports.values()].flat();
}

/** A merchant with a sealed day in so many days is expected to have the next. */
const DAYS_REMEMBERED = 14;

async function reportsOfRemoved(
  sealedPages: Pick<SealedPages, 'merchantsOf'>,
  registry: Registry,
  dueDay: DueDay,
): Promise<ExpectedPage[]> {
  const clock = reportClock(registry, undefined);
  const due = dueDay(clock);
  const days = Array.from({ length: DAYS_REMEMBERED }, (_, back) => addDays(due.day, -back));
  const sealed = await Promise.all(days.map((day) => sealedPages.merchantsOf(day)));
  const lately = new Set(sealed.flatMap((codes) => [...codes]));
  const gone = [...lately.difference(codesInEntries(registry))].sort();
  const who = { name: null, entry: 'gone' as const, recipients: [] };
  return gone.map((merchantCode) => expectedReport({ owner: { merchantCode }, ...who }, due, clock.timeZone));
}

export async function expectedReports(
  sealedPages: Pick<SealedPages, 'merchantsOf'>,
  registry: Registry,
  dueDay: DueDay,
): Promise<ExpectedPage[]> {
  return [...namedReports(registry, dueDay), ...(await reportsOfRemoved(sealedPages, registry, dueDay))];
}

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

export interface PeriodsLookedAt {
  ofTimes: (times: StatementTimes) => readonly Due[];
  ofGroupDays: (waits: Waits, clocks: readonly MemberClock[]) => readonly Due[];
}

export interface DuePage {
  page: ExpectedPage;
  /** Until when it waits for what is not sealed. Milliseconds UTC. */
  deadline: number;
  /** The first day that is reported, empty for all. */
  reportFrom: Day;
}

interface DuePages {
  pages: DuePage[];
  /** All merchants and groups that get statements or pages, as `ownerPart` names them. */
  owners: ReadonlySet<string>;
}

type ExpectedOwner = Pick<ExpectedPage, 'owner' | 'name' | 'recipients' | 'members' | 'timeZone'>;

/** The statements and groups' pages of a registry, of the periods that are looked at. */
export function duePages(
  registry: Registry,
  { now, margin }: WatchTime,
  lookedAt: PeriodsLookedAt,
): DuePages {
  const { ofTimes, ofGroupDays } = eachOnce(lookedAt);
  const pages: DuePage[] = [];
  const owners = new Set<string>();
  const add = (who: ExpectedOwner, periods: readonly Due[], reportFrom: Day) => {
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
  return {
    ofTimes: ({ timeZone, weekStart, weekly, monthly, waitFor, correctFor }) => {
      const own = { timeZone, weekStart, weekly, monthly, waitFor, correctFor };
      return memoized(known, JSON.stringify(own), () => ofTimes(own));
    },
    ofGroupDays: ({ waitFor, correctFor }, clocks) => {
      const kind = JSON.stringify([waitFor, correctFor, clocks]);
      return memoized(known, kind, () => ofGroupDays({ waitFor, correctFor }, clocks));
    },
  };
}

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
