import { addAmounts, addCounts, addStateAmounts } from '#page/figures/add-figures.ts';
import type { DayFigures } from '#records/figures/history.ts';
import type { Day } from '#records/day/business-day.ts';
import { daysOf, periodBefore, periodDays, samePeriodOfLastYear } from '#records/period/period.ts';
import type { Period } from '#records/period/period.ts';
import type { MerchantSettings } from '#registry/registry-schema.ts';
import { comparedPeriod } from '#page/figures/statement.ts';
import type { Statement } from '#page/figures/statement.ts';
import type { ComparedPeriod } from '#page/figures/period-figures.ts';
import { unlessSpoilt } from '#page/page-store.ts';
import type { Dependencies } from '../dependencies.ts';

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
