import type { Received } from '#records/figures/invoice-outcomes.ts';
import type { Statement, StatementDay, DayInOrder, ComparedPeriod } from '#page/figures/statement.ts';
import { daysInOrder } from '#page/figures/statement.ts';
import { dayOfTrend, periodName } from '#mail/formatters/day-formatter.ts';
import type { FigureFormatter } from '#mail/formatters/figure-formatter.ts';
import { amountOfDay } from '../currencies.ts';
import type { PageCell, PageSection, Segments, PageTable } from '#mail/template/mail-layout.ts';
import { daysOf, periodKind } from '#records/period/period.ts';
import { parseSum, divided, formatAmount } from '#records/money/money.ts';
import { amountSegments, extremesOf, segmentsOf } from '../report/trend.ts';
import type { ValuedDay } from '../report/trend.ts';
import { dayAt } from '#records/day/business-day.ts';
import { occasionsOf } from '#records/day/occasions.ts';
import type { Period, PeriodDays } from '#records/period/period.ts';
import { netName, asDayNet } from '../net.ts';

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

/** Tenths of a percent. A larger change says nothing in percent. */
const LARGEST_SHARE = 10_000n;

type Row = PageTable['rows'][number];

/** Amounts are decimal strings, counts numbers. `null` is unknown. */
interface ComparedFigure {
  label: string;
  now: string | number | null;
  then: readonly (string | number | null)[];
}

function scaled(value: string | number): bigint {
  return typeof value === 'string' ? parseSum(value) : BigInt(value);
}

function valueText(value: string | number | null, formatter: FigureFormatter): string {
  if (value === null) return NOTHING;
  return typeof value === 'string' ? formatter.bareAmount(value) : formatter.count(value);
}

/** `+440.500 (+4.7%)`. Without a share where there was nothing, or next to nothing, to compare with. */
function differenceText(
  now: string | number | null,
  then: string | number | null,
  formatter: FigureFormatter,
): string {
  if (now === null || then === null) return NOTHING;
  const [was, is] = [scaled(then), scaled(now)];
  const difference =
    typeof now === 'string'
      ? formatter.bareAmount(formatAmount(is - was), true)
      : formatter.countDifference((is - was) * 10n);
  if (was <= 0n) return difference;
  const share = divided((is - was) * 1_000n, was);
  if (share > LARGEST_SHARE || share < -LARGEST_SHARE) return difference;
  const values = { difference, share: formatter.percentDifference(share) };
  return formatter.texts.say('statement.differenceAndShare', values);
}

function rowsOf({ label, now, then }: ComparedFigure, formatter: FigureFormatter): Row[] {
  if (now === null && then.every((value) => value === null)) return [];
  const values = then.map((value) => ({
    text: valueText(value, formatter),
    under: differenceText(now, value, formatter),
  }));
  return [{ cells: [{ text: label, under: formatter.texts.say('statement.difference') }, ...values] }];
}

function figuresOf(
  statement: Statement,
  others: readonly ComparedPeriod[],
  formatter: FigureFormatter,
): ComparedFigure[] {
  const { texts } = formatter;
  const { net, refunds, counts } = statement;
  return [
    {
      label: texts.say('statement.received'),
      now: net.received,
      then: others.map(({ received }) => received),
    },
    { label: texts.say('refunds'), now: refunds.total, then: others.map((other) => other.refunds.total) },
    {
      label: netName(asDayNet(net).charges, formatter),
      now: net.net,
      then: others.map((other) => other.net),
    },
    { label: texts.say('invoices'), now: counts.total, then: others.map((other) => other.counts.total) },
    {
      label: texts.say('correction.figures.paid'),
      now: counts.paid,
      then: others.map((other) => other.counts.paid),
    },
  ];
}

type Other = ComparedPeriod & PeriodDays;

/** Those known as they stood as long after their end: statements of earlier versions took the newest. */
function othersOf({ before, lastYear }: Statement): Other[] {
  return [before, lastYear].flatMap((other) => {
    const { from, to, sealedAt } = other ?? {};
    if (!other || from === undefined || to === undefined || sealedAt === undefined) return [];
    return [{ ...other, from, to }];
  });
}

/** Which of the periods had days that are not usual. Empty when that is the same of all. */
function occasionNotes(
  periods: readonly (PeriodDays & { period: Period })[],
  timeZone: string,
  { texts }: FigureFormatter,
): string[] {
  const known = periods.map((one) => ({
    period: periodName(one, texts),
    names: [...new Set(daysOf(one).flatMap((day) => occasionsOf(day, timeZone)))],
  }));
  if (new Set(known.map(({ names }) => names.join())).size === 1) return [];
  return known.flatMap(({ period, names }) => {
    const occasions = names.map((name) => texts.say(`occasions.${name}`)).join(texts.say('comma'));
    return names.length === 0 ? [] : [texts.say('statement.compared.occasions', { period, occasions })];
  });
}

/** The period against the one before and the same one of last year, as far as they are known. Empty without both. */
export function comparedSection(statement: Statement, formatter: FigureFormatter): PageSection[] {
  const { texts } = formatter;
  const { period, sealedAt, to, timeZone = 'UTC' } = statement;
  const others = othersOf(statement);
  if (others.length === 0) return [];
  const isWeek = periodKind(period) === 'week';
  const nameOf = (other: Other) => periodName(other, texts);
  const lengthOf = (days: PeriodDays) => daysOf(days).length;
  const daysAfter = lengthOf({ from: to, to: dayAt(Date.parse(sealedAt), timeZone) }) - 1;
  const notes = [
    texts.say('statement.compared.basis', { count: daysAfter }),
    texts.say('statement.amountsIn', { currency: formatter.currency }),
    ...others
      .filter(({ final }) => !final)
      .map((other) => texts.say('statement.compared.provisional', { period: nameOf(other) })),
    ...(statement.final ? [] : [texts.say('statement.compared.now')]),
    ...others
      .filter((other) => isWeek && lengthOf(other) !== lengthOf(statement))
      .map((other) =>
        texts.say('statement.compared.length', {
          period: nameOf(other),
          count: lengthOf(other),
          length: formatter.count(lengthOf(statement)),
        }),
      ),
    ...occasionNotes([statement, ...others], timeZone, formatter),
  ];
  return [
    {
      heading: texts.say('statement.compared'),
      table: {
        columns: [texts.say('correction.figure'), ...others.map(nameOf)].map((text) => ({ text })),
        rows: figuresOf(statement, others, formatter).flatMap((figure) => rowsOf(figure, formatter)),
      },
      notes: [notes.join(' ')],
    },
  ];
}
