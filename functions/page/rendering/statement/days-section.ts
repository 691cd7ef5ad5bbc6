import type { Counts } from '#records/figures/figure-schemas.ts';
import type { Statement, StatementDay, DayInOrder } from '#page/figures/statement.ts';
import { daysInOrder } from '#page/figures/statement.ts';
import { dayOfTrend } from '#mail/formatters/day-formatter.ts';
import type { FigureFormatter } from '#mail/formatters/figure-formatter.ts';
import { withoutIsolates } from '#mail/formatters/outside-text.ts';
import { amountOfDay } from '../currencies.ts';
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

/** Digits and signs. Such numbers of invoices stay on one line, also on a phone. */
const LONGEST_PAIR = 11;

function cells(...texts: string[]): PageCell[] {
  return texts.map((text) => ({ text }));
}

function paidOfAll({ paid, total }: Counts, formatter: FigureFormatter): string {
  const [first, second] = [formatter.count(paid), formatter.count(total)];
  const isShort = withoutIsolates(`${first} / ${second}`).length <= LONGEST_PAIR;
  return [first, second].join(isShort ? '\u00A0/\u00A0' : ' / ');
}

function figureCells(
  day: Pick<StatementDay, 'counts' | 'net' | 'currency'>,
  formatter: FigureFormatter,
): PageCell[] {
  const { counts, net } = day;
  return cells(
    paidOfAll(counts, formatter),
    amountOfDay(day, net.received, formatter),
    amountOfDay(day, net.refunded, formatter),
  );
}

/** Marked when the day's page does not balance. */
export function dayName({ day, page }: DayInOrder, { texts }: FigureFormatter): string {
  return `${dayOfTrend(day, texts)}${page?.balanced === false ? '*' : ''}`;
}

function rowOf(day: DayInOrder, formatter: FigureFormatter): PageCell[] {
  const name = dayName(day, formatter);
  if (day.page !== undefined) return [{ text: name }, ...figureCells(day.page, formatter)];
  return cells(name, formatter.texts.say('statement.day.missing'), NOTHING, NOTHING);
}

/** Each day of the period with its main figures, and their sum. Narrow enough for a phone. */
export function daysSection(statement: Statement, formatter: FigureFormatter): PageSection[] {
  const { texts } = formatter;
  const rows = daysInOrder(statement).map((day) => rowOf(day, formatter));
  if (rows.length === 0) return [];
  const { counts, net, currency } = statement;
  const total =
    currency === null
      ? cells(texts.say('states.total'), paidOfAll(counts, formatter), NOTHING, NOTHING)
      : [{ text: texts.say('states.total') }, ...figureCells({ counts, net }, formatter)];
  const notes = [
    ...(currency === null ? [] : [texts.say('statement.amountsIn', { currency: formatter.currency })]),
    ...(statement.unbalanced.length > 0 ? [texts.say('trend.unbalanced')] : []),
  ];
  return [
    {
      heading: texts.say('statement.days'),
      table: {
        columns: cells(
          texts.say('statement.day'),
          texts.say('statement.paidOfAll'),
          texts.say('statement.received'),
          texts.say('statement.refunded'),
        ),
        rows: [...rows.map((row) => ({ cells: row })), { cells: total, strong: true }],
      },
      ...(notes.length > 0 && { notes: [notes.join(' ')] }),
    },
  ];
}
