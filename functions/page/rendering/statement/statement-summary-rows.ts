import type { Breakdown } from '#records/figures/breakdown.ts';
import type { Statement } from '#page/figures/statement.ts';
import { AttachmentWords } from '../attachments/attachment-words.ts';
import { headsOf, refundRows, stateRows } from '../attachments/summary-blocks.ts';
import { SummaryCells } from '../attachments/summary-cells.ts';
import type { SummaryRow } from '../attachments/summary-cells.ts';
import { FigureFormatter } from '#mail/formatters/figure-formatter.ts';
import { merchantName } from '#mail/template/mailed-merchant.ts';
import { inCell } from '#mail/formatters/outside-text.ts';
import { listedDays, periodLine } from '#mail/formatters/period-formatter.ts';
import type { Texts } from '#mail/texts/texts.ts';
import { currenciesOf, currencySentences } from './currencies.ts';
import { netRows } from './net-rows.ts';
import type { WorkbookMerchant } from './workbook-merchant.ts';

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
    headsOf(texts.say('byType'), cells, texts),
    ...byType.map(({ type, all }) => cells.figures(typeName(type, words), all.count, all.amount)),
    ...(byMethod === null
      ? []
      : [
          [],
          headsOf(texts.say('byMethod'), cells, texts),
          ...byMethod.map(({ method, count, amount }) =>
            cells.figures(method === null ? texts.say('method.rest') : words.method(method), count, amount),
          ),
        ]),
  ];
}

/**
 * The summary of a statement's workbook. Times are in the merchant's zone; an amount that a spreadsheet
 * cannot keep exactly is a text.
 */
export function statementSummaryRows(merchant: WorkbookMerchant, statement: Statement): SummaryRow[] {
  const words = new AttachmentWords(merchant, statement.to);
  const { texts } = words;
  const cells = new SummaryCells(texts, merchant.timeZone);
  const { refunds, breakdown, net } = statement;
  const nameOf = (status: string) => words.refundStatus(status);
  return [
    ...details(merchant, statement, cells, texts),
    ...currenciesOf(statement).flatMap(({ currency, sum }) => [
      [],
      headsOf(currency, cells, texts),
      ...stateRows(sum, cells, texts),
      cells.figures(texts.say('refunds'), sum.refunds.count, sum.refunds.total),
      ...netRows(sum.net, null, cells, texts),
    ]),
    [],
    cells.detail(texts.say('about'), texts.say('received.period'), 'text'),
    [],
    headsOf(texts.say('workbook.invoices'), cells, texts),
    ...stateRows(statement, cells, texts),
    [],
    headsOf(texts.say('statement.refundsByDate'), cells, texts),
    ...refundRows(refunds, nameOf, cells, texts),
    [],
    ...(statement.currency === null ? [] : [...netRows(net, breakdown, cells, texts)]),
    ...(breakdown === null ? [] : breakdownRows(breakdown, cells, words)),
  ];
}
