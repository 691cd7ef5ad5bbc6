import type { Statement, StatementDay } from '#domain/statement/statement.ts';
import type { DocumentSection } from '../document/document.ts';
import { dayOfTrend } from '../formatters/day-formatter.ts';
import type { FigureFormatter } from '../formatters/figure-formatter.ts';
import { netName } from '../report/net-figures.ts';
import { bestAndWorst } from './chart-section.ts';
import { amountOfDay } from './currencies.ts';
import { asDayNet } from './statement-net.ts';

/** Each day of the period with the figures that its net is made of, and their sums. */
export function daysOfDocument(statement: Statement, formatter: FigureFormatter): DocumentSection {
  const { texts } = formatter;
  const { days, missing, unbalanced, net } = statement;
  const hasCharges = net.chargeColumns.length > 0;
  const countCells = ({ paid, notPaid, cancelled }: StatementDay['counts']) =>
    [paid, notPaid, cancelled].map((count) => formatter.count(count));
  const cellsOf = (day: Pick<StatementDay, 'counts' | 'net' | 'currency'>): string[] => {
    const amount = (text: string | null) => amountOfDay(day, text, formatter);
    const { received, refunded, charges, net: left } = day.net;
    return [
      ...countCells(day.counts),
      amount(received),
      amount(refunded),
      ...(hasCharges ? [amount(charges)] : []),
      amount(left),
    ];
  };
  const rows = [
    ...days.map((day) => ({
      day: day.day,
      cells: [`${dayOfTrend(day.day, texts)}${day.balanced ? '' : '*'}`, ...cellsOf(day)],
    })),
    ...missing.map((day) => ({
      day,
      cells: [dayOfTrend(day, texts), texts.say('statement.day.missing')],
    })),
  ].sort((one, other) => (one.day < other.day ? -1 : 1));
  const heads = [
    ...(['states.paid', 'states.notPaid', 'states.cancelled'] as const).map((name) => texts.say(name)),
    texts.say('statement.received'),
    texts.say('statement.refunded'),
    ...(hasCharges ? [texts.say('charges')] : []),
    netName(asDayNet(net).charges, formatter),
  ];
  const notes = [
    ...bestAndWorst(days, formatter),
    ...(unbalanced.length > 0 ? [texts.say('trend.unbalanced')] : []),
  ];
  return {
    title: texts.say('statement.days'),
    ...(notes.length > 0 && { note: notes.join(' ') }),
    columns: [
      { head: texts.say('statement.day'), align: 'start' },
      ...heads.map((head) => ({ head, align: 'end' }) as const),
    ],
    rows: rows.map(({ cells }) => cells),
    total: [
      texts.say('states.total'),
      ...(statement.currency === null
        ? countCells(statement.counts)
        : cellsOf({ counts: statement.counts, net })),
    ],
  };
}
