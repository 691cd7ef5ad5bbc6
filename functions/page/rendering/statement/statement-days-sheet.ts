import type { Day } from '#records/day/business-day.ts';
import type { InvoiceState } from '#records/figures/figure-schemas.ts';
import type { Statement, StatementDay } from '#page/figures/statement.ts';
import { WIDTHS, figureSheet } from '../attachments/figure-sheet.ts';
import type { FigureColumn } from '../attachments/figure-sheet.ts';
import type { TableSheet } from '../attachments/workbook-model.ts';
import type { MailedMerchant } from '#mail/template/mailed-merchant.ts';
import { textsIn } from '#mail/texts/texts.ts';
import type { Texts } from '#mail/texts/texts.ts';

interface Row {
  day: Day;
  page?: StatementDay;
}

/** In a table of figures, a missing day has empty cells. */
const EMPTY = '';

function columnsOf({ net, currency }: Statement, texts: Texts): FigureColumn<Row>[] {
  const ofPage =
    (value: (page: StatementDay) => string | number | null) =>
    ({ page }: Row) =>
      page === undefined ? EMPTY : value(page);
  const count = (head: string, value: (page: StatementDay) => number | null): FigureColumn<Row> => ({
    head,
    holds: 'integer',
    width: WIDTHS.count,
    value: ofPage(value),
  });
  const amount = (head: string, value: (page: StatementDay) => string | null): FigureColumn<Row> => ({
    head,
    holds: 'amount',
    width: WIDTHS.amount,
    value: ofPage(value),
    // Amounts of different currencies are never added.
    summed: currency !== null,
  });
  const amountOf = (state: InvoiceState) =>
    amount(
      texts.say('correction.amountOf', { figure: texts.say(`correction.figures.${state}`) }),
      ({ amounts }) => amounts?.[state] ?? null,
    );
  const checked = ({ balanced }: StatementDay) => texts.say(balanced ? 'correction.yes' : 'correction.no');
  return [
    { head: texts.say('workbook.day'), holds: 'day', width: WIDTHS.day, value: ({ day }) => day },
    count(texts.say('workbook.revision'), ({ revision }) => revision),
    ...(currency === null
      ? [
          {
            head: texts.say('workbook.currency'),
            holds: 'text' as const,
            width: WIDTHS.count,
            value: ({ page }: Row) => page?.currency ?? EMPTY,
          },
        ]
      : []),
    {
      head: texts.say('statement.confirmedDay'),
      holds: 'text',
      width: WIDTHS.count,
      value: ({ page }) => (page === undefined ? texts.say('statement.day.missing') : checked(page)),
    },
    ...(['total', 'paid', 'notPaid', 'cancelled', 'other'] as const).map((state) =>
      count(texts.say(`correction.figures.${state}`), ({ counts }) => counts[state]),
    ),
    amount(texts.say('statement.received'), (page) => page.net.received),
    ...(['notPaid', 'cancelled', 'other'] as const).map(amountOf),
    count(texts.say('statement.refunds.count'), ({ refunds }) => refunds.count),
    amount(texts.say('statement.refunds.all'), ({ refunds }) => refunds.total),
    amount(texts.say('statement.approvedRefunds'), (page) => page.net.refunded),
    ...(net.chargeColumns.length === 0 ? [] : [amount(texts.say('charges'), (page) => page.net.charges)]),
    amount(texts.say(net.chargeColumns.length === 0 ? 'net.withoutCharges' : 'net'), (page) => page.net.net),
  ];
}

/** The days of a statement, one row each. A figure that is not known says so. */
export function daysSheet({ language, timeZone }: MailedMerchant, statement: Statement): TableSheet {
  const texts = textsIn(language);
  const rows: Row[] = [
    ...statement.days.map((page) => ({ day: page.day, page })),
    ...statement.missing.map((day) => ({ day })),
  ].sort((one, other) => (one.day < other.day ? -1 : 1));
  const named = { name: texts.say('statement.days.sheet'), table: 'Days' };
  return figureSheet(named, columnsOf(statement, texts), rows, { texts, timeZone });
}
