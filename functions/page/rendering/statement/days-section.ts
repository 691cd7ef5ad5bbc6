import type { Day } from '#records/day/business-day.ts';
import type { Counts } from '#records/figures/figure-schemas.ts';
import type { Statement, StatementDay } from '#page/figures/statement.ts';
import { dayOfTrend } from '#mail/formatters/day-formatter.ts';
import type { FigureFormatter } from '#mail/formatters/figure-formatter.ts';
import { withoutIsolates } from '#mail/formatters/outside-text.ts';
import { amountOfDay } from './currencies.ts';
import type { PageCell, PageSection } from '#mail/template/mail-page.ts';

const NOTHING = '–';

/** Digits and signs. Such numbers of invoices stay on one line, also on a phone. */
const LONGEST_PAIR = 11;

type Row = readonly PageCell[];

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

function rowsOf({ days, missing }: Statement, formatter: FigureFormatter): Row[] {
  const { texts } = formatter;
  const rows = new Map<Day, Row>();
  for (const day of days) {
    const name = `${dayOfTrend(day.day, texts)}${day.balanced ? '' : '*'}`;
    rows.set(day.day, [{ text: name }, ...figureCells(day, formatter)]);
  }
  for (const day of missing) {
    rows.set(day, cells(dayOfTrend(day, texts), texts.say('statement.day.missing'), NOTHING, NOTHING));
  }
  return [...rows].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
}

/** Each day of the period with its main figures, and their sum. Narrow enough for a phone. */
export function daysSection(statement: Statement, formatter: FigureFormatter): PageSection[] {
  const { texts } = formatter;
  const rows = rowsOf(statement, formatter);
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
