import type { Received } from '#records/figures/invoice-outcomes.ts';
import type { Statement, StatementDay, DayInOrder, ComparedPeriod } from '#page/figures/statement.ts';
import { comparedPeriod, daysInOrder } from '#page/figures/statement.ts';
import { dayOfTrend, listedDays, periodName } from '#mail/formatters/day-formatter.ts';
import type { FigureFormatter } from '#mail/formatters/figure-formatter.ts';
import type { PageCell, PageSection, Segments } from '#mail/template/mail-layout.ts';
import { daysOf, periodKind } from '#records/period/period.ts';
import { parseSum, divided, formatAmount } from '#records/money/money.ts';
import { amountSegments, extremesOf, segmentsOf } from '../report/trend.ts';
import type { ValuedDay } from '../report/trend.ts';
import { dayAt } from '#records/day/business-day.ts';
import type { Day } from '#records/day/business-day.ts';
import { occasionsOf } from '#records/day/occasions.ts';
import { occasionNames } from '../report/against-others.ts';
import type { Period, PeriodDays } from '#records/period/period.ts';
import { netTextName } from '../net.ts';
import { addSums } from '#page/figures/compose-statement.ts';
import { allKnown } from '#records/money/money.ts';
import { bareText } from '../correction/changed-figures.ts';
import { NOTHING, inCurrency, oneNote } from '../mail-parts.ts';
import type { TextName } from '#mail/texts/texts.ts';

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
  const found = extremesOf(receivedOn(days));
  if (found === null) return [];
  const values = ({ day, value }: ValuedDay<bigint>) => {
    return { amount: formatter.bareAmount(formatAmount(value)), day: dayOfTrend(day, texts) };
  };
  return [texts.say('statement.best', values(found.most)), texts.say('statement.worst', values(found.least))];
}

/** What a chart has of each day: the amounts received, or the numbers of invoices where these are unknown. */
function segmentsByDay(days: readonly StatementDay[]): {
  isOfAmounts: boolean;
  segments: Map<Day, Segments>;
} {
  const received = receivedOn(days);
  if (received.length > 0) {
    const most = received.reduce((high, { value }) => (value > high ? value : high), 0n);
    const segments = new Map(received.map(({ day, value }) => [day, amountSegments(value, most)]));
    return { isOfAmounts: true, segments };
  }
  const most = Math.max(0, ...days.map(({ counts }) => counts.total ?? 0));
  const segments = new Map(days.map(({ day, counts }) => [day, segmentsOf(counts, most)]));
  return { isOfAmounts: false, segments };
}

/** A day without figures is a gap. Empty for fewer than two days with figures. */
function chartOf(
  { from, to, days }: Statement,
  segments: ReadonlyMap<Day, Segments>,
  formatter: FigureFormatter,
) {
  if (days.length < 2) return [];
  return daysOf({ from, to }).map((day) => ({
    label: formatter.count(Number(day.slice(-2))),
    segments: segments.get(day) ?? [],
    today: false,
  }));
}

/** Marked when the day's page does not balance. */
export function dayName({ day, page }: DayInOrder, { texts }: FigureFormatter): string {
  return `${dayOfTrend(day, texts)}${page?.balanced === false ? '*' : ''}`;
}

type Sums = Pick<Statement, 'net'> & { received: Pick<Received, 'count'> | null };

/** A day of a week, or up to seven days of a month: a mail has no room for a month day by day. */
interface Line {
  name: string;
  isWhole: boolean;
  /** `null`: none of its days has a page. */
  sums: Sums | null;
}

const DAYS_OF_LINE = 7;

function lineOf(name: string, days: readonly DayInOrder[]): Line {
  const pages = days.flatMap(({ page }) => page ?? []);
  const isWhole = days.every(({ page }) => page?.balanced === true);
  if (pages.length === 0) return { name, isWhole, sums: null };
  const received = allKnown(pages.map((page) => page.received));
  const count = received?.reduce((sum, of) => sum + of.count, 0);
  return { name, isWhole, sums: { ...addSums(pages), received: count === undefined ? null : { count } } };
}

/** The days of a week, and of a month seven at a time. Marked when one is missing or not confirmed. */
export function linesOf(statement: Statement, formatter: FigureFormatter): Line[] {
  const days = daysInOrder(statement);
  if (periodKind(statement.period) === 'week')
    return days.map((day) => lineOf(dayName(day, formatter), [day]));
  const byDate = Map.groupBy(days, ({ day }) => Math.floor((Number(day.slice(-2)) - 1) / DAYS_OF_LINE));
  return [...byDate.values()].map((some) => {
    const dates = some.map(({ day }) => day);
    const line = lineOf(listedDays(dates, formatter.texts), some);
    return line.isWhole ? line : { ...line, name: `${line.name}*` };
  });
}

function cellsOf(name: string, { net, received }: Sums, formatter: FigureFormatter): PageCell[] {
  const amount = (text: string | null) => formatter.bareAmount(text);
  return [
    { text: name, ...(received !== null && { under: formatter.count(received.count) }) },
    { text: amount(net.received), under: amount(net.refunded) },
    { text: amount(net.net), ...(net.chargeColumns.length > 0 && { under: amount(net.charges) }) },
  ];
}

/** The days as columns, and their main figures, with the sum. Narrow enough for a phone. @param statement of one currency */
export function daysSection(statement: Statement, formatter: FigureFormatter): PageSection[] {
  const { texts } = formatter;
  const { net, days, period } = statement;
  const lines = linesOf(statement, formatter);
  if (lines.length === 0) return [];
  const { isOfAmounts, segments } = segmentsByDay(days);
  const isWeek = periodKind(period) === 'week';
  const isMarked = isWeek ? statement.unbalanced.length > 0 : lines.some((line) => !line.isWhole);
  const mark = texts.say(isWeek ? 'trend.unbalanced' : 'statement.days.incomplete');
  const hasCharges = net.chargeColumns.length > 0;
  return [
    {
      heading: inCurrency(isOfAmounts ? 'statement.days' : 'statement.chart.counts', formatter),
      chart: chartOf(statement, segments, formatter),
      table: {
        columns: [
          { text: texts.say('statement.day'), under: texts.say('statement.payments') },
          { text: texts.say('statement.received'), under: texts.say('statement.refunded') },
          {
            text: texts.say(netTextName(net)),
            ...(hasCharges && { under: texts.say('charges') }),
          },
        ],
        rows: [
          ...lines.map(({ name, sums }) => ({
            cells:
              sums === null
                ? [name, texts.say('statement.day.missing'), NOTHING].map((text) => ({ text }))
                : cellsOf(name, sums, formatter),
          })),
          { cells: cellsOf(texts.say('states.total'), statement, formatter), strong: true },
        ],
      },
      notes: oneNote([...bestAndWorst(days, formatter), ...(isMarked ? [mark] : [])]),
    },
  ];
}

/** Tenths of a percent. A larger change says nothing in percent. */
const LARGEST_SHARE = 10_000n;

/** An amount (decimal string) or a count. `null` is unknown. */
type Value = string | number | null;

function scaled(value: string | number): bigint {
  return typeof value === 'string' ? parseSum(value) : BigInt(value);
}

/** Against an earlier period, in words. Without a share where there was nothing, or next to nothing, to compare with. */
interface Compared {
  value: string;
  difference: string;
  share: string | null;
}

function comparedWith(now: Value, then: Value, formatter: FigureFormatter): Compared {
  const value = then === null ? NOTHING : bareText(then, formatter);
  if (now === null || then === null) return { value, difference: NOTHING, share: null };
  const [was, is] = [scaled(then), scaled(now)];
  const difference =
    typeof now === 'string'
      ? formatter.bareAmount(formatAmount(is - was), true)
      : formatter.countDifference((is - was) * 10n);
  const share = was <= 0n ? null : divided((is - was) * 1_000n, was);
  const isTold = share !== null && share <= LARGEST_SHARE && share >= -LARGEST_SHARE;
  return { value, difference, share: isTold ? formatter.percentDifference(share) : null };
}

function figuresOf({ net: ofPeriod }: Statement): [name: TextName, of: (period: ComparedPeriod) => Value][] {
  return [
    ['statement.received', ({ received }) => received],
    ['statement.refunded', ({ refunded = null }) => refunded],
    [netTextName(ofPeriod), ({ net }) => net],
    ['invoices', ({ counts }) => counts.total],
    ['correction.figures.paid', ({ counts }) => counts.paid],
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
export function occasionNotes(
  periods: readonly (PeriodDays & { period: Period })[],
  timeZone: string,
  formatter: Pick<FigureFormatter, 'texts'>,
): string[] {
  const { texts } = formatter;
  const known = periods.map((one) => ({
    period: periodName(one, texts),
    names: [...new Set(daysOf(one).flatMap((day) => occasionsOf(day, timeZone)))],
  }));
  if (new Set(known.map(({ names }) => names.join())).size === 1) return [];
  return known.flatMap(({ period, names }) => {
    const occasions = occasionNames(names, formatter);
    return names.length === 0 ? [] : [texts.say('statement.compared.occasions', { period, occasions })];
  });
}

export interface ComparedTable {
  /** The names of the earlier periods. */
  columns: string[];
  rows: { label: string; values: Compared[] }[];
  note: string;
}

/** The period against the one before and the same one of last year, as far as they are known. `null` without both. */
export function comparedTable(statement: Statement, formatter: FigureFormatter): ComparedTable | null {
  const { texts } = formatter;
  const { period, sealedAt, to, timeZone = 'UTC' } = statement;
  const others = othersOf(statement);
  if (others.length === 0) return null;
  const isWeek = periodKind(period) === 'week';
  const nameOf = (other: Other) => periodName(other, texts);
  const lengthOf = (days: PeriodDays) => daysOf(days).length;
  const daysAfter = lengthOf({ from: to, to: dayAt(Date.parse(sealedAt), timeZone) }) - 1;
  const notes = [
    texts.say('statement.compared.basis', { count: daysAfter }),
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
  const now = comparedPeriod(statement);
  const known = figuresOf(statement).filter(([, of]) => [now, ...others].some((one) => of(one) !== null));
  return {
    columns: others.map(nameOf),
    rows: known.map(([name, of]) => ({
      label: texts.say(name),
      values: others.map((other) => comparedWith(of(now), of(other), formatter)),
    })),
    note: notes.join(' '),
  };
}

/** {@link comparedTable} for a mail. Empty when nothing is compared. */
export function comparedSection(statement: Statement, formatter: FigureFormatter): PageSection[] {
  const { texts } = formatter;
  const compared = comparedTable(statement, formatter);
  if (compared === null) return [];
  const cell = ({ value, share }: Compared) => ({
    text: share === null ? value : texts.say('statement.valueAndShare', { value, share }),
  });
  return [
    {
      heading: inCurrency('statement.compared', formatter),
      table: {
        columns: [texts.say('correction.figure'), ...compared.columns].map((text) => ({ text })),
        rows: compared.rows.map(({ label, values }) => ({ cells: [{ text: label }, ...values.map(cell)] })),
      },
      notes: [compared.note],
    },
  ];
}
