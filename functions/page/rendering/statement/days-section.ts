import type { Received } from '#records/figures/invoice-outcomes.ts';
import type { Statement, StatementDay, DayInOrder } from '#page/figures/statement.ts';
import { daysInOrder } from '#page/figures/statement.ts';
import { dayOfTrend } from '#mail/formatters/day-formatter.ts';
import type { FigureFormatter } from '#mail/formatters/figure-formatter.ts';
import { amountOfDay } from '../currencies.ts';
import { asDayNet, netName } from '../net.ts';
import type { PageCell, PageSection, Segments } from '#mail/template/mail-layout.ts';
import { daysOf } from '#records/period/period.ts';
import { parseSum } from '#records/money/money.ts';
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

const NOTHING = '–';

function cells(...texts: string[]): PageCell[] {
  return texts.map((text) => ({ text }));
}

/** What came in, went back, was charged and is left. */
function figureCells(
  day: Pick<StatementDay, 'net' | 'currency'> & { received: Pick<Received, 'count'> | null },
  hasCharges: boolean,
  formatter: FigureFormatter,
): PageCell[] {
  const { net, received } = day;
  const amount = (text: string | null) => amountOfDay(day, text, formatter);
  return [
    { text: amount(net.received), ...(received !== null && { under: formatter.count(received.count) }) },
    { text: amount(net.refunded), ...(hasCharges && { under: amount(net.charges) }) },
    { text: amount(net.net) },
  ];
}

/** Marked when the day's page does not balance. */
export function dayName({ day, page }: DayInOrder, { texts }: FigureFormatter): string {
  return `${dayOfTrend(day, texts)}${page?.balanced === false ? '*' : ''}`;
}

function rowOf(day: DayInOrder, hasCharges: boolean, formatter: FigureFormatter): PageCell[] {
  const name = dayName(day, formatter);
  if (day.page !== undefined) return [{ text: name }, ...figureCells(day.page, hasCharges, formatter)];
  return cells(name, formatter.texts.say('statement.day.missing'), NOTHING, NOTHING);
}

/** Each day of the period with its main figures, and their sum. Narrow enough for a phone. */
export function daysSection(statement: Statement, formatter: FigureFormatter): PageSection[] {
  const { texts } = formatter;
  const { net, received, currency } = statement;
  const hasCharges = net.chargeColumns.length > 0;
  const rows = daysInOrder(statement).map((day) => rowOf(day, hasCharges, formatter));
  if (rows.length === 0) return [];
  const total = [
    { text: texts.say('states.total') },
    ...(currency === null
      ? cells(NOTHING, NOTHING, NOTHING)
      : figureCells({ net, received }, hasCharges, formatter)),
  ];
  const notes = [
    ...(currency === null ? [] : [texts.say('statement.amountsIn', { currency: formatter.currency })]),
    ...(statement.unbalanced.length > 0 ? [texts.say('trend.unbalanced')] : []),
  ];
  return [
    {
      heading: texts.say('statement.days'),
      table: {
        columns: [
          { text: texts.say('statement.day') },
          { text: texts.say('statement.received'), under: texts.say('statement.payments') },
          { text: texts.say('statement.refunded'), ...(hasCharges && { under: texts.say('charges') }) },
          { text: netName(asDayNet(net).charges, formatter) },
        ],
        rows: [...rows.map((row) => ({ cells: row })), { cells: total, strong: true }],
      },
      ...(notes.length > 0 && { notes: [notes.join(' ')] }),
    },
  ];
}
