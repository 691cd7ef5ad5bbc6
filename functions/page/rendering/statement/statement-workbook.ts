import { daysInOrder } from '#page/figures/statement.ts';
import type { DayInOrder, Statement, StatementDay } from '#page/figures/statement.ts';
import { AttachmentWords } from '../attachments/attachment-words.ts';
import type { WordSettings } from '../attachments/attachment-words.ts';
import { figureColumn, figureSheet, summarySheet } from '../attachments/workbook-sheets.ts';
import type { Workbook, FigureColumn, TableSheet } from '../attachments/workbook-sheets.ts';
import { textsIn } from '#mail/texts/texts.ts';
import type { TextName, Texts } from '#mail/texts/texts.ts';
import type { AttachmentSettings } from '#registry/registry-schema.ts';
import type { MailedMerchant } from '#mail/template/mailed-merchant.ts';
import { INVOICE_STATES } from '#records/figures/figure-schemas.ts';
import type { InvoiceState } from '#records/figures/figure-schemas.ts';
import { SummaryCells } from '../attachments/summary-rows.ts';
import type { SummaryRow } from '../attachments/summary-rows.ts';
import { FigureFormatter } from '#mail/formatters/figure-formatter.ts';
import { merchantName } from '#mail/template/mailed-merchant.ts';
import { inCell } from '#mail/formatters/outside-text.ts';
import { listedDays, periodLine } from '#mail/formatters/day-formatter.ts';
import { currenciesOf, currencySentences } from './render-statement.ts';
import { adjustmentsSheets, closingSentences } from './adjustments.ts';
import { chargesByColumn, periodBasis, netTextName } from '../net.ts';
import {
  ageRows,
  breakdownOf,
  issuedTable,
  methodsTable,
  openTable,
  refundsTable,
  typesTable,
} from './statement-tables.ts';
import type { FigureTable } from './statement-tables.ts';

export interface WorkbookMerchant extends MailedMerchant, WordSettings {
  language: MailedMerchant['language'];
  attachments: AttachmentSettings;
}

function columnsOf({ net, currency }: Statement, texts: Texts): FigureColumn<DayInOrder>[] {
  // A missing day has empty cells.
  const ofPage =
    (value: (page: StatementDay) => string | number | null) =>
    ({ page }: DayInOrder) =>
      page === undefined ? '' : value(page);
  const figure = figureColumn<DayInOrder>;
  const count = (name: TextName, value: (page: StatementDay) => number | null) =>
    figure('integer', texts.say(name), ofPage(value));
  // Amounts of different currencies are never added.
  const amount = (head: string, value: (page: StatementDay) => string | null) =>
    figure('amount', head, ofPage(value), currency !== null);
  const amountOf = (state: InvoiceState) =>
    amount(
      texts.say('correction.amountOf', { figure: texts.say(`correction.figures.${state}`) }),
      ({ amounts }) => amounts?.[state] ?? null,
    );
  const checked = (page: StatementDay | undefined) => {
    if (page === undefined) return texts.say('statement.day.missing');
    return texts.say(page.balanced ? 'correction.yes' : 'correction.no');
  };
  const currencyOf = ({ page }: DayInOrder) => page?.currency ?? '';
  return [
    figure('day', texts.say('workbook.day'), ({ day }) => day),
    count('workbook.revision', ({ revision }) => revision),
    ...(currency === null ? [figure('text', texts.say('workbook.currency'), currencyOf)] : []),
    figure('text', texts.say('statement.confirmedDay'), ({ page }) => checked(page)),
    count('statement.payments', ({ received }) => received?.count ?? null),
    amount(texts.say('statement.received'), (page) => page.net.received),
    amount(texts.say('statement.approvedRefunds'), (page) => page.net.refunded),
    ...(net.chargeColumns.length === 0 ? [] : [amount(texts.say('charges'), (page) => page.net.charges)]),
    amount(texts.say(netTextName(net)), (page) => page.net.net),
    ...(['total', 'paid', 'notPaid', 'cancelled', 'other'] as const).map((state) =>
      count(`correction.figures.${state}`, ({ counts }) => counts[state]),
    ),
    ...INVOICE_STATES.map(amountOf),
    count('statement.refunds.count', ({ refunds }) => refunds.count),
    amount(texts.say('statement.refunds.all'), ({ refunds }) => refunds.total),
  ];
}

/** The days of a statement, one row each. A figure that is not known says so. */
function daysSheet({ language, timeZone }: MailedMerchant, statement: Statement): TableSheet {
  const texts = textsIn(language);
  const named = { name: texts.say('statement.days.sheet'), table: 'Days' };
  return figureSheet(named, columnsOf(statement, texts), daysInOrder(statement), { texts, timeZone });
}

function details(merchant: WorkbookMerchant, statement: Statement, cells: SummaryCells): SummaryRow[] {
  const { texts } = cells;
  const { merchantCode, from, to, final, missing, unbalanced, revision, sealedAt, asOf, currency } =
    statement;
  const formatter = new FigureFormatter(texts, currency, { list: 50, rows: 50, text: 200 });
  const days = (name: 'statement.missingDays' | 'statement.unconfirmedDays', listed: readonly string[]) =>
    listed.length === 0 ? [] : [cells.detail(name, inCell(listedDays(listed, texts)))];
  return [
    cells.detail('workbook.merchant', merchantName(merchant)),
    cells.detail('statement.code', merchantCode),
    cells.detail('statement.period', inCell(periodLine(statement, texts))),
    cells.detail('statement.from', from, 'day'),
    cells.detail('statement.to', to, 'day'),
    cells.detail(
      'statement.status',
      texts.say(final ? 'statement.status.final' : 'statement.status.provisional'),
    ),
    ...days('statement.missingDays', missing),
    ...days('statement.unconfirmedDays', unbalanced),
    cells.detail('statement.madeOn', sealedAt, 'time'),
    ...closingSentences(statement, merchant.timeZone, texts).map((text) => cells.detail(null, inCell(text))),
    ...(asOf === null
      ? []
      : [
          cells.detail('statement.firstRead', asOf.oldest, 'time'),
          cells.detail('statement.lastRead', asOf.newest, 'time'),
        ]),
    cells.detail('workbook.timeZone', merchant.timeZone),
    cells.detail('workbook.currency', currency ?? Object.keys(statement.byCurrency ?? {}).join(', ')),
    ...(currency === null
      ? [cells.detail(null, inCell(currencySentences(statement, formatter).join(' ')))]
      : []),
    cells.detail('workbook.revision', revision.toString(), 'integer'),
  ];
}

function tableRows({ title, rows, total }: FigureTable, cells: SummaryCells): SummaryRow[] {
  return [
    cells.headsOf(title),
    ...rows.map(({ label, count, amount }) => cells.figures(label, count, amount)),
    ...(total === undefined ? [] : [cells.figures(total.label, total.count, total.amount, true)]),
  ];
}

function invoiceRows(statement: Statement, cells: SummaryCells): SummaryRow[] {
  const { texts } = cells;
  const open = openTable(statement, texts);
  const ages = ageRows(statement, texts);
  const named = (name: 'statement.open.state' | 'statement.expired.state', age: string) =>
    [age, texts.say(name)].join(' · ');
  return [
    ...tableRows(issuedTable(statement, texts), cells),
    [],
    ...(open === null
      ? [cells.detail('statement.open', texts.say('statement.open.unknown'))]
      : tableRows(open, cells)),
    ...(ages.length === 0 ? [] : [[], cells.headsOf(texts.say('statement.ageing'))]),
    ...ages.flatMap(({ label, open: still, expired }) => [
      cells.figures(named('statement.open.state', label), still.count, still.sum),
      cells.figures(named('statement.expired.state', label), expired.count, expired.sum),
    ]),
  ];
}

function figureRows(statement: Statement, cells: SummaryCells, words: AttachmentWords): SummaryRow[] {
  const { net } = statement;
  const breakdown = breakdownOf(statement);
  const types = typesTable(breakdown, words);
  const methods = methodsTable(breakdown, words);
  return [
    ...cells.net('statement.net.title', net, chargesByColumn(net, breakdown)),
    [],
    ...invoiceRows(statement, cells),
    [],
    ...tableRows(refundsTable(statement.refunds, 'workbook.total', words), cells),
    [],
    ...(types === null ? [] : tableRows(types, cells)),
    ...(methods === null ? [] : [[], ...tableRows(methods, cells)]),
  ];
}

/** Times are in the merchant's zone; an amount that a spreadsheet cannot keep exactly is a text. */
function statementSummaryRows(merchant: WorkbookMerchant, statement: Statement): SummaryRow[] {
  const words = new AttachmentWords(merchant, statement.to);
  const cells = new SummaryCells(words.texts, merchant.timeZone);
  return [
    ...details(merchant, statement, cells),
    [],
    cells.detail('about', periodBasis(statement.net, words)),
    [],
    ...(statement.currency === null
      ? currenciesOf(statement).flatMap((one) => [
          cells.headsOf(one.currency),
          ...figureRows(one.sum, cells, words),
          [],
        ])
      : figureRows(statement, cells, words)),
  ];
}

/** The workbook of a statement: summary, days, invoices and refunds. @param tables of invoices and refunds */
export function statementWorkbook(
  merchant: WorkbookMerchant,
  statement: Statement,
  tables: readonly TableSheet[],
): Workbook {
  const texts = textsIn(merchant.language);
  return {
    sheets: [
      summarySheet(statementSummaryRows(merchant, statement), texts),
      daysSheet(merchant, statement),
      ...adjustmentsSheets(merchant, statement),
      ...tables,
    ],
    rightToLeft: texts.direction === 'rtl',
  };
}
