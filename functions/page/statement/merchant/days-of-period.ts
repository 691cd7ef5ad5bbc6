import { addDays, dayAt } from '#records/day/business-day.ts';
import {
  merchantDays,
  namedPeriod,
  periodBefore,
  periodDays,
  periodKind,
  weekAfter,
} from '#records/period/period.ts';
import type { Period, PeriodDays } from '#records/period/period.ts';
import type { MerchantSettings } from '#registry/registry-schema.ts';
import type { Statement } from '#page/figures/statement.ts';
import { unlessSpoilt } from '#page/page-store.ts';
import type { PageStore } from '#page/page-store.ts';

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
