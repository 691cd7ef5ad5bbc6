import { daysOf } from '#records/period/period.ts';
import { parseSum } from '#records/money/money.ts';
import type { Statement, StatementDay } from '#page/figures/statement.ts';
import { dayOfTrend } from '#mail/formatters/day-formatter.ts';
import type { FigureFormatter } from '#mail/formatters/figure-formatter.ts';
import type { PageSection, Segments } from '#mail/template/mail-page.ts';
import { amountSegments, extremesOf, segmentsOf } from '../report/trend.ts';
import type { ValuedDay } from '../report/trend.ts';

/** Nothing where the days are of several currencies: their amounts cannot be compared. */
function receivedOn(days: readonly StatementDay[]): ValuedDay<bigint>[] {
  if (days.some(({ currency }) => currency !== undefined)) return [];
  return days.flatMap(({ day, net: { received } }) =>
    received === null ? [] : [{ day, value: parseSum(received) }],
  );
}

/** The best and worst day in words: not everybody sees the chart. Empty for fewer than two days. */
export function bestAndWorst(days: readonly StatementDay[], formatter: FigureFormatter): string[] {
  const { texts } = formatter;
  const amounts = new Map(days.map(({ day, net }) => [day, net.received]));
  const found = extremesOf(receivedOn(days));
  if (found === null) return [];
  const values = ({ day }: ValuedDay<bigint>) => ({
    amount: formatter.amount(amounts.get(day) ?? null),
    day: dayOfTrend(day, texts),
  });
  return [
    [texts.say('statement.best', values(found.most)), texts.say('statement.worst', values(found.least))].join(
      ' ',
    ),
  ];
}

/** Amounts received, or numbers of invoices where these are unknown. */
function columnsOf(days: readonly StatementDay[]): { isOfAmounts: boolean; columns: Map<string, Segments> } {
  const received = receivedOn(days);
  if (received.length > 0) {
    const most = received.reduce((high, { value }) => (value > high ? value : high), 0n);
    const columns = new Map(received.map(({ day, value }) => [day, amountSegments(value, most)] as const));
    return { isOfAmounts: true, columns };
  }
  const most = Math.max(0, ...days.map(({ counts }) => counts.total ?? 0));
  return {
    isOfAmounts: false,
    columns: new Map(days.map(({ day, counts }) => [day, segmentsOf(counts, most)] as const)),
  };
}

/** A day without figures is a gap. Empty for fewer than two days with figures. */
export function chartSection({ from, to, days }: Statement, formatter: FigureFormatter): PageSection[] {
  if (days.length < 2) return [];
  const { texts } = formatter;
  const { isOfAmounts, columns } = columnsOf(days);
  const chart = daysOf({ from, to }).map((day) => ({
    label: formatter.count(Number(day.slice(-2))),
    segments: columns.get(day) ?? [],
    today: false,
  }));
  const heading = texts.say(isOfAmounts ? 'statement.chart' : 'statement.chart.counts');
  return [{ heading, chart, notes: bestAndWorst(days, formatter) }];
}
