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
import { redactedBreakdown } from '#records/figures/breakdown.ts';
import { redactedColumns } from '#records/rows/redaction.ts';
import { SealedLineError, takeSealedRow } from '#records/rows/read-sealed-row.ts';
import type { Manifest } from '#records/revision/manifest.ts';
import { pageSettings } from '#page/page-settings.ts';
import { merchantDay } from '#records/storage/keys.ts';
import { StoredObjectError, isUnreadableObject } from '#runtime/s3-objects.ts';
import type { SnapshotStore } from '#page/snapshot-store.ts';
import type { Dependencies } from '../dependencies.ts';
import pLimit from 'p-limit';
import { addAmounts, addCounts, addStateAmounts } from '#page/figures/add-figures.ts';
import type { DayFigures } from '#records/figures/history.ts';
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

export interface WantedPages {
  settings: MerchantSettings;
  days: readonly Day[];
  /**
   * The least revision, 0 when it was not sealed. `undefined`: nobody has looked, and the newest is listed.
   */
  seen: (day: Day) => number | undefined;
}

/**
 * The newest whole page of each sealed day. Unreadable ones are left out, and the log names their keys.
 * @throws {StoredObjectError} when every sealed page is unreadable
 */
export async function readPages(
  { snapshots, telemetry }: Pick<Dependencies, 'snapshots' | 'telemetry'>,
  { settings, days, seen }: WantedPages,
): Promise<Manifest[]> {
  const limit = pLimit(MOST_READS_AT_ONCE);
  const { merchantCode, timeZone } = settings;
  const unreadable: Error[] = [];
  const pages = await Promise.all(
    days.map((day) =>
      limit(async () => {
        const revision = seen(day);
        if (revision === 0) return [];
        try {
          const page =
            revision === undefined
              ? await snapshots.newest(merchantDay(merchantCode, day))
              : await snapshots.revision({ ...merchantDay(merchantCode, day), revision });
          if (page === undefined || soFarUntil(page, timeZone) !== null) return [];
          return [await withBreakdown(snapshots, settings, page)];
        } catch (error) {
          if (!isUnreadableObject(error)) throw error;
          telemetry.logError(error);
          unreadable.push(error);
          return [];
        }
      }),
    ),
  );
  const readable = pages.flat();
  if (readable.length === 0 && unreadable[0] !== undefined) throw unreadable[0];
  return readable;
}

/** The rows of an earlier version say the same, without what the registry redacts now. */
async function withBreakdown(
  snapshots: SnapshotStore,
  settings: MerchantSettings,
  page: Manifest,
): Promise<Manifest> {
  const columns = redactedColumns(settings.redact);
  if (page.breakdown !== null) {
    return columns.size === 0 ? page : { ...page, breakdown: redactedBreakdown(page.breakdown, columns) };
  }
  const tally = new BreakdownTally(pageSettings(page, settings));
  const file = dataFile(page, 'invoices', 'json');
  try {
    for await (const line of snapshots.lines(file)) {
      takeSealedRow(line, columns, (row) => tally.addSealed(row));
    }
  } catch (error) {
    if (error instanceof SealedLineError)
      throw new StoredObjectError(file.key, 'has a line that is not a row');
    throw error;
  }
  return { ...page, breakdown: tally.breakdown() };
}

type Ports = Pick<Dependencies, 'statements' | 'history'>;

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

export async function otherPeriods(
  ports: Ports,
  settings: MerchantSettings,
  period: Period,
): Promise<OtherPeriods> {
  const last = samePeriodOfLastYear(period);
  const [before, lastYear] = await Promise.all([
    knownPeriod(ports, settings, periodBefore(period)),
    last === undefined ? undefined : statementOf(ports, settings, last),
  ]);
  return { before, lastYear: lastYear ?? null };
}

/** A merchant's first statement is compared with its days. */
async function knownPeriod(
  ports: Ports,
  settings: MerchantSettings,
  period: Period,
): Promise<OtherPeriod | null> {
  const known = await statementOf(ports, settings, period);
  return known === undefined ? fromDays(ports, settings, period) : known;
}

/** A comparison is not worth a failure: a spoilt statement, or one of several currencies, is left out. */
async function statementOf(
  { statements }: Ports,
  { merchantCode }: MerchantSettings,
  period: Period,
): Promise<OtherPeriod | null | undefined> {
  const statement = await unlessSpoilt(() => statements.newest({ owner: { merchantCode }, period }));
  if (statement === undefined) return undefined;
  const { currency, days, from } = statement;
  const first = days[0]?.day ?? from;
  return currency === null ? null : { figures: comparedPeriod(statement), currency, first };
}

/** The period from the history, when it has every day, and all in one currency. */
async function fromDays(
  { history }: Ports,
  { merchantCode, weekStart, currency: registered }: MerchantSettings,
  period: Period,
): Promise<OtherPeriod | null> {
  const { from, to } = periodDays(period, weekStart);
  const kept = await history.kept(merchantCode);
  const byDay = new Map(kept.map((figures) => [figures.day, figures]));
  const days: DayFigures[] = [];
  for (const day of daysOf({ from, to })) {
    const figures = byDay.get(day);
    if (figures === undefined) return null;
    days.push(figures);
  }
  const [currency = registered, ...others] = new Set(days.map((figures) => figures.currency ?? registered));
  if (others.length > 0) return null;
  const amounts = addStateAmounts(days.map((figures) => figures.amounts));
  const figures: ComparedPeriod = {
    period,
    from,
    to,
    revision: null,
    final: days.every(({ balanced }) => balanced),
    counts: addCounts(days.map(({ counts }) => counts)),
    amounts,
    refunds: {
      count: days.reduce((sum, { refunds }) => sum + refunds.count, 0),
      total: addAmounts(days.map(({ refunds }) => refunds.total)),
    },
    received: amounts?.paid ?? null,
    net: null,
  };
  return { figures, currency, first: from };
}
