import { addAmounts, addCounts, addStateAmounts } from '#domain/statement/add-figures.ts';
import type { DayFigures } from '#domain/figures/history.ts';
import { daysOf, periodBefore, periodDays, samePeriodOfLastYear } from '#domain/period/period.ts';
import type { Period } from '#domain/period/period.ts';
import type { MerchantSettings } from '#domain/registry/registry-schema.ts';
import { comparedPeriod } from '#domain/statement/compared-period.ts';
import type { ComparedPeriod } from '#domain/statement/period-figures.ts';
import type { Statement } from '#domain/statement/statement.ts';
import type { Dependencies } from '../dependencies.ts';
import { newestReadable } from '../mail/readable-page.ts';

type Ports = Pick<Dependencies, 'statements' | 'history'>;

/** What a statement is compared with. */
export type Compared = Pick<Statement, 'before' | 'lastYear'>;

/** The period before, and the same one of the year before, as far as they are known. */
export async function comparedPeriods(
  ports: Ports,
  settings: MerchantSettings,
  period: Period,
): Promise<Compared> {
  const last = samePeriodOfLastYear(period);
  const [before, lastYear] = await Promise.all([
    knownPeriod(ports, settings, periodBefore(period)),
    last === undefined ? undefined : statementOf(ports, settings, last),
  ]);
  return { before, lastYear: lastYear ?? null };
}

/** From the period's statement. A merchant's first statement is compared with its days. */
async function knownPeriod(
  ports: Ports,
  settings: MerchantSettings,
  period: Period,
): Promise<ComparedPeriod | null> {
  const known = await statementOf(ports, settings, period);
  return known === undefined ? fromDays(ports, settings, period) : known;
}

/**
 * A comparison is not worth a failure: a spoilt statement of another period is left out. Nor is one that is in another currency
 * anything to compare with.
 *
 * @returns `undefined` when there is no readable statement
 */
async function statementOf(
  { statements }: Ports,
  { merchantCode, currency }: MerchantSettings,
  period: Period,
): Promise<ComparedPeriod | null | undefined> {
  const statement = await newestReadable(statements, { merchantCode }, period);
  if (statement === undefined) return undefined;
  return statement.currency === currency ? comparedPeriod(statement) : null;
}

/** From the merchant's history, when it has every day. */
async function fromDays(
  { history }: Ports,
  { merchantCode, weekStart }: MerchantSettings,
  period: Period,
): Promise<ComparedPeriod | null> {
  const { from, to } = periodDays(period, weekStart);
  const kept = await history.kept(merchantCode);
  const byDay = new Map(kept.map((figures) => [figures.day, figures]));
  const days: DayFigures[] = [];
  for (const day of daysOf({ from, to })) {
    const figures = byDay.get(day);
    if (figures === undefined) return null;
    days.push(figures);
  }
  const amounts = addStateAmounts(days.map((figures) => figures.amounts));
  return {
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
}
