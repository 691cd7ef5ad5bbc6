import type { Statement } from '#domain/statement/statement.ts';
import type { FigureFormatter } from '../formatters/figure-formatter.ts';
import type { PageSection } from '../page/mail-page.ts';
import { paragraph } from '../report/more-lines.ts';

/** The invoices of the period that are not paid yet. Empty when their number is unknown: the states say so. */
export function unpaidSection({ counts, amounts }: Statement, formatter: FigureFormatter): PageSection[] {
  const { texts } = formatter;
  const count = counts.notPaid;
  if (count === null) return [];
  const text =
    count === 0
      ? texts.say('statement.unpaid.none')
      : amounts === null
        ? texts.say('statement.unpaid.count', { count })
        : texts.say('statement.unpaid.amount', { count, amount: formatter.amount(amounts.notPaid) });
  return [
    {
      heading: texts.say('statement.unpaid'),
      lines: [paragraph(text)],
      notes: count === 0 ? [] : [texts.say('statement.unpaid.meaning')],
    },
  ];
}
