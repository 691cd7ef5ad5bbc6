import type { Table } from '#records/revision/manifest.ts';
import { daysInOrder } from '#page/figures/statement.ts';
import type { DayInOrder, Statement, StatementDay } from '#page/figures/statement.ts';
import { AttachmentWords } from '../attachments/attachment-words.ts';
import type { WordSettings } from '../attachments/attachment-words.ts';
import type { CollectedTable } from '../attachments/collected-attachments.ts';
import { figureColumn, figureSheet, rowSheets, summarySheet } from '../attachments/workbook-sheets.ts';
import type { Workbook, FigureColumn, TableSheet } from '../attachments/workbook-sheets.ts';
import { textsIn } from '#mail/texts/texts.ts';
import type { Texts } from '#mail/texts/texts.ts';
import type { AttachmentSettings } from '#registry/registry-schema.ts';
import type { MailedMerchant } from '#mail/template/mailed-merchant.ts';
import type { InvoiceState } from '#records/figures/figure-schemas.ts';
import type { Breakdown } from '#records/figures/breakdown.ts';
import { headsOf, refundRows, stateRows, SummaryCells, netRows } from '../attachments/summary-rows.ts';
import type { SummaryRow } from '../attachments/summary-rows.ts';
import { FigureFormatter } from '#mail/formatters/figure-formatter.ts';
import { merchantName } from '#mail/template/mailed-merchant.ts';
import { inCell } from '#mail/formatters/outside-text.ts';
import { listedDays, periodLine } from '#mail/formatters/day-formatter.ts';
import { currenciesOf, currencySentences } from '../currencies.ts';
import { adjustmentsSheets, closingSentences } from './adjustments.ts';
import { basisOf } from '../came-in.ts';
import { ageRows, breakdownOf, issuedRows, openRows } from './invoice-tables.ts';
import type { InvoiceRow } from './invoice-tables.ts';

export interface WorkbookMerchant extends MailedMerchant, WordSettings {
  language: MailedMerchant['language'];
  attachments: AttachmentSettings;
}

/** In a table of figures, a missing day has empty cells. */
const EMPTY = '';

function columnsOf({ net, currency }: Statement, texts: Texts): FigureColumn<DayInOrder>[] {
  const ofPage =
    (value: (page: StatementDay) => string | number | null) =>
    ({ page }: DayInOrder) =>
      page === undefined ? EMPTY : value(page);
  const count = (head: string, value: (page: StatementDay) => number | null) =>
    figureColumn('integer', head, ofPage(value));
  const amount = (head: string, value: (page: StatementDay) => string | null): FigureColumn<DayInOrder> => ({
    ...figureColumn('amount', head, ofPage(value)),
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
    figureColumn('day', texts.say('workbook.day'), ({ day }) => day),
    count(texts.say('workbook.revision'), ({ revision }) => revision),
    ...(currency === null
      ? [
          figureColumn<DayInOrder>(
            'text',
            texts.say('workbook.currency'),
            ({ page }) => page?.currency ?? EMPTY,
          ),
        ]
      : []),
    figureColumn('text', texts.say('statement.confirmedDay'), ({ page }) =>
      page === undefined ? texts.say('statement.day.missing') : checked(page),
    ),
    count(texts.say('statement.payments'), ({ received }) => received?.count ?? null),
    amount(texts.say('statement.received'), (page) => page.net.received),
    amount(texts.say('statement.approvedRefunds'), (page) => page.net.refunded),
    ...(net.chargeColumns.length === 0 ? [] : [amount(texts.say('charges'), (page) => page.net.charges)]),
    amount(texts.say(net.chargeColumns.length === 0 ? 'net.withoutCharges' : 'net'), (page) => page.net.net),
    ...(['total', 'paid', 'notPaid', 'cancelled', 'other'] as const).map((state) =>
      count(texts.say(`correction.figures.${state}`), ({ counts }) => counts[state]),
    ),
    ...(['paid', 'notPaid', 'cancelled', 'other'] as const).map(amountOf),
    count(texts.say('statement.refunds.count'), ({ refunds }) => refunds.count),
    amount(texts.say('statement.refunds.all'), ({ refunds }) => refunds.total),
  ];
}

/** The days of a statement, one row each. A figure that is not known says so. */
function daysSheet({ language, timeZone }: MailedMerchant, statement: Statement): TableSheet {
  const texts = textsIn(language);
  const named = { name: texts.say('statement.days.sheet'), table: 'Days' };
  return figureSheet(named, columnsOf(statement, texts), daysInOrder(statement), { texts, timeZone });
}

function details(
  merchant: WorkbookMerchant,
  statement: Statement,
  cells: SummaryCells,
  texts: Texts,
): SummaryRow[] {
  const { merchantCode, from, to, final, missing, unbalanced, revision, sealedAt, asOf, currency } =
    statement;
  const formatter = new FigureFormatter(texts, currency, { list: 50, rows: 50, text: 200 });
  const days = (name: 'statement.missingDays' | 'statement.unconfirmedDays', listed: readonly string[]) =>
    listed.length === 0 ? [] : [cells.detail(texts.say(name), inCell(listedDays(listed, texts)), 'text')];
  return [
    cells.detail(texts.say('workbook.merchant'), merchantName(merchant), 'text'),
    cells.detail(texts.say('statement.code'), merchantCode, 'text'),
    cells.detail(texts.say('statement.period'), inCell(periodLine(statement, texts)), 'text'),
    cells.detail(texts.say('statement.from'), from, 'day'),
    cells.detail(texts.say('statement.to'), to, 'day'),
    cells.detail(
      texts.say('statement.status'),
      texts.say(final ? 'statement.status.final' : 'statement.status.provisional'),
      'text',
    ),
    ...days('statement.missingDays', missing),
    ...days('statement.unconfirmedDays', unbalanced),
    cells.detail(texts.say('statement.madeOn'), sealedAt, 'time'),
    ...closingSentences(statement, merchant.timeZone, texts).map((text) =>
      cells.detail('', inCell(text), 'text'),
    ),
    ...(asOf === null
      ? []
      : [
          cells.detail(texts.say('statement.firstRead'), asOf.oldest, 'time'),
          cells.detail(texts.say('statement.lastRead'), asOf.newest, 'time'),
        ]),
    cells.detail(texts.say('workbook.timeZone'), merchant.timeZone, 'text'),
    cells.detail(
      texts.say('workbook.currency'),
      currency ?? Object.keys(statement.byCurrency ?? {}).join(', '),
      'text',
    ),
    ...(currency === null
      ? [cells.detail('', inCell(currencySentences(statement, formatter).join(' ')), 'text')]
      : []),
    cells.detail(texts.say('workbook.revision'), revision.toString(), 'integer'),
  ];
}

function tableRows(
  rows: readonly InvoiceRow[],
  title: string,
  cells: SummaryCells,
  texts: Texts,
): SummaryRow[] {
  return [
    headsOf(title, cells, texts),
    ...rows.map(({ label, count, amount, strong }) => cells.figures(label, count, amount, strong)),
  ];
}

/** What was made in the period, what is open of all, and how old that is. */
function invoiceRows(statement: Statement, cells: SummaryCells, texts: Texts): SummaryRow[] {
  const issued = issuedRows(statement, texts);
  const open = openRows(statement, texts);
  const ages = ageRows(statement, texts) ?? [];
  const named = (name: 'statement.open.state' | 'statement.expired.state', age: string) =>
    [age, texts.say(name)].join(' · ');
  return [
    ...(issued === null
      ? [headsOf(texts.say('statement.made'), cells, texts), ...stateRows(statement, cells, texts)]
      : tableRows(issued, texts.say('statement.made'), cells, texts)),
    [],
    ...(open === null
      ? [cells.detail(texts.say('statement.open'), texts.say('statement.open.unknown'), 'text')]
      : tableRows(open, texts.say('statement.open'), cells, texts)),
    ...(ages.length === 0 ? [] : [[], headsOf(texts.say('statement.ageing'), cells, texts)]),
    ...ages.flatMap(({ label, open: still, expired }) => [
      cells.figures(named('statement.open.state', label), still.count, still.sum),
      cells.figures(named('statement.expired.state', label), expired.count, expired.sum),
    ]),
  ];
}

function typeName(type: string | null, words: AttachmentWords): string {
  return type === null ? words.texts.say('types.rest') : words.invoiceType(type);
}

function breakdownRows(
  { byType, byMethod }: Breakdown,
  cells: SummaryCells,
  words: AttachmentWords,
): SummaryRow[] {
  const { texts } = words;
  return [
    [],
    ...(byType.length === 0 ? [] : [headsOf(texts.say('byType'), cells, texts)]),
    ...byType.map(({ type, all }) => cells.figures(typeName(type, words), all.count, all.amount)),
    ...(byMethod === null
      ? []
      : [
          [],
          headsOf(texts.say('cameIn.byMethod'), cells, texts),
          ...byMethod.map(({ method, count, amount }) =>
            cells.figures(method === null ? texts.say('method.rest') : words.method(method), count, amount),
          ),
        ]),
  ];
}

/** The figures of a statement of one currency. */
function figureRows(statement: Statement, cells: SummaryCells, words: AttachmentWords): SummaryRow[] {
  const { texts } = words;
  const { refunds, net } = statement;
  const breakdown = breakdownOf(statement);
  return [
    ...netRows(net, breakdown, cells, texts),
    [],
    ...invoiceRows(statement, cells, texts),
    [],
    headsOf(texts.say('statement.refundsByDate'), cells, texts),
    ...refundRows(refunds, (status) => words.refundStatus(status), cells, texts),
    ...breakdownRows(breakdown, cells, words),
  ];
}

/**
 * The summary of a statement's workbook. Times are in the merchant's zone; an amount that a spreadsheet
 * cannot keep exactly is a text.
 */
function statementSummaryRows(merchant: WorkbookMerchant, statement: Statement): SummaryRow[] {
  const words = new AttachmentWords(merchant, statement.to);
  const { texts } = words;
  const cells = new SummaryCells(texts, merchant.timeZone);
  return [
    ...details(merchant, statement, cells, texts),
    [],
    cells.detail(texts.say('about'), basisOf(statement.net, words), 'text'),
    [],
    ...(statement.currency === null
      ? currenciesOf(statement).flatMap((one) => [
          headsOf(one.currency, cells, texts),
          ...figureRows(one.statement, cells, words),
          [],
        ])
      : figureRows(statement, cells, words)),
  ];
}

/** The workbook of a statement: summary, days, invoices and refunds. @param tables as collected */
export function statementWorkbook(
  merchant: WorkbookMerchant,
  statement: Statement,
  tables: Record<Table, CollectedTable>,
): Workbook {
  const texts = textsIn(merchant.language);
  return {
    sheets: [
      summarySheet(statementSummaryRows(merchant, statement), texts),
      daysSheet(merchant, statement),
      ...adjustmentsSheets(merchant, statement),
      ...rowSheets(tables, texts),
    ],
    rightToLeft: texts.direction === 'rtl',
  };
}
