import { divided, formatAmount, parseSum } from '#records/money/money.ts';
import { dayAt } from '#records/day/business-day.ts';
import { occasionsOf } from '#records/day/occasions.ts';
import { daysOf, periodKind } from '#records/period/period.ts';
import type { Period, PeriodDays } from '#records/period/period.ts';
import type { ComparedPeriod } from '#page/figures/period-figures.ts';
import type { Statement } from '#page/figures/statement.ts';
import type { FigureFormatter } from '#mail/formatters/figure-formatter.ts';
import { periodName } from '#mail/formatters/period-formatter.ts';
import type { PageTable, PageSection } from '#mail/template/mail-layout.ts';
import { netName, asDayNet } from '../net.ts';

const NOTHING = '–';
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
