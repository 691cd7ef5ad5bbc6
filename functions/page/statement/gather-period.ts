import { addDays, dayAt } from '#records/day/business-day.ts';
import {
  merchantDays,
  namedPeriod,
  periodBefore,
  periodDays,
  periodKind,
  weekAfter,
  daysOf,
  samePeriodOfLastYear,
} from '#records/period/period.ts';
import type { Period, PeriodDays } from '#records/period/period.ts';
import type { MerchantSettings } from '#registry/registry-schema.ts';
import type { Statement, ComparedPeriod } from '#page/figures/statement.ts';
import { unlessSpoilt } from '#page/page-store.ts';
import type { PageStore } from '#page/page-store.ts';
import type { Day } from '#records/day/business-day.ts';
import { soFarUntil, dataFile } from '#records/revision/manifest.ts';
import { BreakdownTally } from '#records/figures/breakdown-tally.ts';
import { SealedLineError } from '#records/rows/read-sealed-row.ts';
import type { Manifest } from '#records/revision/manifest.ts';
import { pageSettings } from '#page/page-settings.ts';
import { merchantDay } from '#records/storage/keys.ts';
import { StoredObjectError, isUnreadableObject } from '#runtime/s3-objects.ts';
import { takeRows } from '#page/sealed-rows.ts';
import type { DayStore } from '#page/day-store.ts';
import type { Dependencies } from './dependencies.ts';
import pLimit from 'p-limit';
import { redactedPage } from '#page/figures/compose-statement.ts';
import { HISTORY_DAYS } from '#records/figures/history.ts';
import type { StatementSubject } from '#page/figures/compose-statement.ts';
import { comparedPeriod } from '#page/figures/statement.ts';

interface AskedDays {
  settings: Pick<MerchantSettings, 'merchantCode' | 'timeZone' | 'weekStart'>;
  period: Period;
  /** The newest sealed statement of the period. */
  own: PeriodDays | undefined;
  /** Milliseconds UTC. */
  now: number;
}

/**
 * The name of the period. After a change of `weekStart`, a sealed week may have ended later than the last
 * one: then it is `last-week`.
 * @param wanted a name, `last-month` or `last-week`
 * @param now milliseconds UTC
 * @throws {InvalidPeriodError} when it is no period
 */
export async function askedPeriod(
  statements: Pick<PageStore<Statement>, 'newest'>,
  { merchantCode, timeZone, weekStart }: AskedDays['settings'],
  wanted: string,
  now: number,
): Promise<Period> {
  const period = namedPeriod(wanted, { now, timeZone, weekStart });
  if (wanted !== 'last-week') return period;
  const next = await unlessSpoilt(() =>
    statements.newest({ owner: { merchantCode }, period: weekAfter(period) }),
  );
  return next !== undefined && next.to < dayAt(now, timeZone) ? next.period : period;
}

/** Days of a period; those of a week depend on the sealed weeks beside it ({@link merchantDays}). */
export async function daysOfPeriod(
  statements: Pick<PageStore<Statement>, 'newest'>,
  { settings, period, own, now }: AskedDays,
): Promise<PeriodDays> {
  const { merchantCode, timeZone, weekStart } = settings;
  if (periodKind(period) !== 'week' || own !== undefined) return merchantDays(period, weekStart, { own });
  const sealed = (week: Period) =>
    unlessSpoilt(() => statements.newest({ owner: { merchantCode }, period: week }));
  const next = weekAfter(period);
  // A week is not sealed before its first days are over.
  const mayNextBeSealed = addDays(periodDays(next, 'thursday').from, 1) <= dayAt(now, timeZone);
  const [before, after] = await Promise.all([
    sealed(periodBefore(period)),
    mayNextBeSealed ? sealed(next) : undefined,
  ]);
  return merchantDays(period, weekStart, { before, after });
}

/** One page after another takes seconds for a month. */
const MOST_READS_AT_ONCE = 16;

/**
 * The newest whole page of each sealed day. Unreadable ones are left out, and the log names their keys.
 * @param seen the least revision of a day, 0 when it was not sealed. `undefined`: nobody has looked, and the newest is listed
 * @throws {StoredObjectError} when every sealed page is unreadable
 */
export async function readPages(
  { snapshots, telemetry }: Pick<Dependencies, 'snapshots' | 'telemetry'>,
  settings: MerchantSettings,
  days: readonly Day[],
  seen: (day: Day) => number | undefined,
): Promise<Manifest[]> {
  const unreadable: Error[] = [];
  const pages = await pLimit(MOST_READS_AT_ONCE).map(days, async (day) => {
    const id = merchantDay(settings.merchantCode, day);
    const revision = seen(day);
    if (revision === 0) return [];
    try {
      const page = await (revision === undefined
        ? snapshots.newest(id)
        : snapshots.revision({ ...id, revision }));
      if (page === undefined || soFarUntil(page, settings.timeZone) !== null) return [];
      return [await withBreakdown(snapshots, settings, page)];
    } catch (error) {
      if (!isUnreadableObject(error)) throw error;
      telemetry.logError(error);
      unreadable.push(error);
      return [];
    }
  });
  const readable = pages.flat();
  if (readable.length === 0 && unreadable[0] !== undefined) throw unreadable[0];
  return readable;
}

/** Without what the registry redacts now. The rows of an earlier version say the same of a breakdown. */
async function withBreakdown(
  snapshots: DayStore,
  settings: MerchantSettings,
  sealed: Manifest,
): Promise<Manifest> {
  const page = redactedPage(sealed, settings.redact);
  if (page.breakdown !== null) return page;
  const tally = new BreakdownTally(pageSettings(page, settings));
  const file = dataFile(page, 'invoices', 'json');
  try {
    await takeRows(snapshots, file, settings.redact, (row) => tally.addSealed(row));
  } catch (error) {
    if (error instanceof SealedLineError)
      throw new StoredObjectError(file.key, 'has a line that is not a row');
    throw error;
  }
  return { ...page, breakdown: tally.breakdown() };
}

/**
 * The days before a period whose invoices may be open in it, as the merchant's history knows them. `null` when there is
 * no history, or it does not know what became of a day's invoices: it is of an earlier version, or the registry named
 * no states.
 */
export async function followedBefore(
  { history }: Pick<Dependencies, 'history'>,
  { merchantCode, followFor, reportFrom = '' }: MerchantSettings,
  from: Day,
): Promise<StatementSubject['followed']> {
  const { days: kept } = await history.stored(merchantCode);
  if (kept.length === 0) return null;
  const first = addDays(from, -Math.max(followFor, HISTORY_DAYS));
  const before = kept.filter(({ day }) => day < from && day >= first && day >= reportFrom);
  const known = before.flatMap(({ day, currency, followed }) =>
    followed?.outcomes ? [{ day, currency, outcomes: followed.outcomes }] : [],
  );
  return known.length === before.length ? known : null;
}

interface OtherPeriod {
  figures: ComparedPeriod;
  currency: string;
  first: Day;
}

export interface OtherPeriods {
  before: OtherPeriod | null;
  lastYear: OtherPeriod | null;
}

/** Periods in the same currency, without a day before `reportFrom`: these may be another owner's. */
export function comparedIn(
  currency: string | null,
  { reportFrom = '' }: Pick<MerchantSettings, 'reportFrom'>,
  { before, lastYear }: OtherPeriods,
): Pick<Statement, 'before' | 'lastYear'> {
  const comparable = (other: OtherPeriod | null) =>
    other !== null && other.currency === currency && other.first >= reportFrom ? other.figures : null;
  return { before: comparable(before), lastYear: comparable(lastYear) };
}

/** The period before and last year's, each as it stood as long after its end as now. @param now milliseconds UTC */
export async function otherPeriods(
  { statements }: Pick<Dependencies, 'statements'>,
  settings: MerchantSettings,
  { period, to, now }: { period: Period; to: Day; now: number },
): Promise<OtherPeriods> {
  const daysAfter = daysOf({ from: to, to: dayAt(now, settings.timeZone) }).length - 1;
  const other = (one: Period | undefined) =>
    one === undefined ? null : statementAfter(statements, settings, one, daysAfter);
  const [before, lastYear] = await Promise.all([
    other(periodBefore(period)),
    other(samePeriodOfLastYear(period)),
  ]);
  return { before, lastYear };
}

/**
 * The newest statement of a period so many days after its end, `null` when there was none by then. A comparison is not worth a
 * failure: a spoilt statement, or one of several currencies, is left out.
 */
async function statementAfter(
  statements: Dependencies['statements'],
  { merchantCode, timeZone: registered }: MerchantSettings,
  period: Period,
  daysAfter: number,
): Promise<OtherPeriod | null> {
  const id = { owner: { merchantCode }, period };
  const newest = (await statements.newestNumber(id)) ?? 0;
  for (let revision = newest; revision > 0; revision -= 1) {
    const statement = await unlessSpoilt(() => statements.revision({ ...id, revision }));
    if (statement === undefined) continue;
    const { currency, days, from, to, sealedAt, timeZone = registered } = statement;
    if (dayAt(Date.parse(sealedAt), timeZone) > addDays(to, daysAfter)) continue;
    const first = days[0]?.day ?? from;
    return currency === null ? null : { figures: comparedPeriod(statement), currency, first };
  }
  return null;
}
