import { daysInOrder } from '#page/figures/statement.ts';
import type { Net } from '#records/figures/day-net.ts';
import type { Statement, StatementDay } from '#page/figures/statement.ts';
import type { Breakdown } from '#records/figures/breakdown.ts';
import { documentColumns } from '../document/document.ts';
import type { SummaryDocument, DocumentSection } from '../document/document.ts';
import { moment, periodLine } from '#mail/formatters/day-formatter.ts';
import { FigureFormatter } from '#mail/formatters/figure-formatter.ts';
import { merchantName } from '#mail/template/mailed-merchant.ts';
import { isolated, withoutIsolates } from '#mail/formatters/outside-text.ts';
import { pageReference, methodLabel, typeLabel } from '../mail-parts.ts';
import type { MethodWords } from '../mail-parts.ts';
import type { Limits } from '#mail/template/fitting-mail.ts';
import { netRows, netSentences, periodBasis, netTextName } from '../net.ts';
import { textsIn } from '#mail/texts/texts.ts';
import {
  currenciesOf,
  currencyNames,
  currencySentences,
  daysOfCurrency,
  provisionalSentences,
  readSentences,
  weekLengthSentences,
} from './render-statement.ts';
import { comparedTable, bestAndWorst, dayName, linesOf } from './statement-sections.ts';
import { adjustmentsOfDocument, closingSentences } from './adjustments.ts';
import {
  ageRows,
  breakdownOf,
  countText,
  issuedTable,
  methodsTable,
  openTable,
  refundsTable,
  typesTable,
} from './statement-tables.ts';
import type { FigureNames, FigureRow, FigureTable } from './statement-tables.ts';
import type { Received } from '#records/figures/invoice-outcomes.ts';
import type { StatementInput } from './render-statement.ts';
import { periodKind } from '#records/period/period.ts';

function textSection(title: string, note: string): DocumentSection {
  return { title, note, columns: [], rows: [] };
}

function tableSection(
  { title, head, note, rows, total }: FigureTable,
  formatter: FigureFormatter,
): DocumentSection {
  const { texts } = formatter;
  const cellsOf = ({ label, count, amount, isChange = false }: FigureRow) => [
    label,
    countText(count, isChange, formatter),
    formatter.bareAmount(amount, isChange),
  ];
  return {
    title,
    note,
    columns: documentColumns([head], [texts.say('count'), texts.say('amount')]),
    rows: rows.map(cellsOf),
    total: total && cellsOf(total),
  };
}

function invoicesOfDocument(statement: Statement, formatter: FigureFormatter): DocumentSection[] {
  const { texts } = formatter;
  const open = openTable(statement, texts);
  const ages = ageRows(statement, texts);
  const heads = (['statement.open.state', 'amount', 'statement.expired.state', 'amount'] as const).map(
    (name) => texts.say(name),
  );
  return [
    tableSection(issuedTable(statement, texts), formatter),
    open === null
      ? textSection(texts.say('statement.open'), texts.say('statement.open.unknown'))
      : tableSection(open, formatter),
    ...(ages.length === 0
      ? []
      : [
          {
            title: texts.say('statement.ageing'),
            columns: documentColumns([texts.say('statement.ageing.age')], heads),
            rows: ages.map(({ label, ...of }) => [
              label,
              ...[of.open, of.expired].flatMap(({ count, sum }) => [
                formatter.count(count),
                formatter.bareAmount(sum),
              ]),
            ]),
          },
        ]),
  ];
}

type DayFigures = Pick<StatementDay, 'net' | 'currency'> & { received: Pick<Received, 'count'> | null };

function dayColumns({ net }: Statement, { texts }: FigureFormatter): DocumentSection['columns'] {
  const heads = [
    texts.say('statement.payments'),
    texts.say('statement.received'),
    texts.say('statement.refunded'),
    ...(net.chargeColumns.length > 0 ? [texts.say('charges')] : []),
    texts.say(netTextName(net)),
  ];
  return documentColumns([texts.say('statement.day')], heads);
}

function dayCells(
  { received: payments, currency, net: { received, refunded, charges, net } }: DayFigures,
  { net: { chargeColumns } }: Statement,
  formatter: FigureFormatter,
): string[] {
  const amounts = [received, refunded, ...(chargeColumns.length > 0 ? [charges] : []), net];
  return [
    formatter.count(payments?.count ?? null),
    // With its currency where the statement has several.
    ...amounts.map((amount) =>
      currency === undefined ? formatter.bareAmount(amount) : formatter.in(currency).amount(amount),
    ),
  ];
}

function daysOfDocument(statement: Statement, formatter: FigureFormatter): DocumentSection {
  const { texts } = formatter;
  const { days, unbalanced, net, received } = statement;
  const notes = [
    ...bestAndWorst(days, formatter),
    ...(unbalanced.length > 0 ? [texts.say('trend.unbalanced')] : []),
  ];
  return {
    title: texts.say('statement.days'),
    note: notes.join(' '),
    columns: dayColumns(statement, formatter),
    rows: daysInOrder(statement).map((day) => [
      dayName(day, formatter),
      ...(day.page === undefined
        ? [texts.say('statement.day.missing')]
        : dayCells(day.page, statement, formatter)),
    ]),
    total: [
      texts.say('states.total'),
      ...(statement.currency === null ? [] : dayCells({ received, net }, statement, formatter)),
    ],
  };
}

/** The sums of a month's mail. Empty for a week: it has each day. */
function linesOfDocument(statement: Statement, formatter: FigureFormatter): DocumentSection[] {
  const { texts } = formatter;
  if (periodKind(statement.period) === 'week') return [];
  const rows = linesOf(statement, formatter).map(({ name, sums }) => [
    name,
    ...(sums === null ? [texts.say('statement.day.missing')] : dayCells(sums, statement, formatter)),
  ]);
  return [{ title: texts.say('statement.lines'), columns: dayColumns(statement, formatter), rows }];
}

/** A page of paper has room for everything that a statement names. */
const PAPER: Limits = { list: 50, rows: 50, text: 200 };

type Input = Pick<StatementInput, 'merchant' | 'statement' | 'preview'>;

function netOfDocument(net: Net, breakdown: Breakdown, formatter: FigureFormatter): DocumentSection {
  const { texts } = formatter;
  const rows = netRows(net, breakdown, formatter);
  return {
    title: texts.say('statement.net.title'),
    note: [periodBasis(net, formatter), ...netSentences(net, formatter)].join(' '),
    columns: documentColumns([texts.say('correction.figure')], [texts.say('amount')]),
    rows: rows.slice(0, -1),
    total: rows.at(-1),
  };
}

/** The net, the invoices, the days and the refunds of one currency. @param hasDays whether its days are in it, one row each */
function figuresOfCurrency(
  statement: Statement,
  hasDays: boolean,
  words: MethodWords,
  formatter: FigureFormatter,
): DocumentSection[] {
  const breakdown = breakdownOf(statement);
  const names: FigureNames = {
    texts: formatter.texts,
    refundStatus: (status) => formatter.refundStatus(status),
    invoiceType: (type) => typeLabel(type, formatter),
    method: (method) => methodLabel(method, words, formatter),
  };
  const refunds = refundsTable(statement.refunds, 'allRefunds', names);
  const tables = [
    { ...refunds, rows: refunds.rows.slice(0, formatter.limits.list) },
    typesTable(breakdown, names),
    methodsTable(breakdown, names),
  ];
  return [
    netOfDocument(statement.net, breakdown, formatter),
    ...invoicesOfDocument(statement, formatter),
    ...(hasDays ? [daysOfDocument(statement, formatter)] : []),
    ...linesOfDocument(statement, formatter),
    ...tables.flatMap((table) => (table === null ? [] : [tableSection(table, formatter)])),
  ];
}

function figuresOfDocument(
  statement: Statement,
  words: MethodWords,
  formatter: FigureFormatter,
): DocumentSection[] {
  if (statement.currency !== null) return figuresOfCurrency(statement, true, words, formatter);
  const ofEach = currenciesOf(statement).flatMap((one) => {
    const figures = formatter.in(one.currency);
    const of = daysOfCurrency(one, formatter);
    return figuresOfCurrency(one.sum, false, words, figures).map((part) => ({
      ...part,
      title: [part.title, figures.currency, of].join(' · '),
    }));
  });
  return [...ofEach, daysOfDocument(statement, formatter)];
}

/** Each figure of an earlier period, and below it the difference. */
function comparedOfDocument({ statement }: Input, formatter: FigureFormatter): DocumentSection[] {
  const { texts } = formatter;
  const compared = comparedTable(statement, formatter);
  if (compared === null) return [];
  return [
    {
      title: texts.say('statement.compared'),
      note: compared.note,
      columns: documentColumns([texts.say('correction.figure')], compared.columns),
      rows: compared.rows.flatMap(({ label, values }) => [
        [label, ...values.map(({ value }) => value)],
        [
          texts.say('statement.difference'),
          ...values.map(({ difference, share }) =>
            share === null ? difference : texts.say('statement.valueAndShare', { value: difference, share }),
          ),
        ],
      ]),
    },
  ];
}

function factsOf({ merchant, statement }: Input, formatter: FigureFormatter): SummaryDocument['facts'] {
  const { texts } = formatter;
  const { merchantCode, revision, sealedAt } = statement;
  return [
    { label: texts.say('workbook.merchant'), value: formatter.outside(merchantName(merchant)) },
    { label: texts.say('statement.code'), value: isolated(merchantCode) },
    { label: texts.say('statement.period'), value: periodLine(statement, texts) },
    {
      label: texts.say('statement.status'),
      value: texts.say(statement.final ? 'statement.status.final' : 'statement.status.provisional'),
    },
    { label: texts.say('workbook.currency'), value: currencyNames(statement, formatter) },
    { label: texts.say('workbook.revision'), value: String(revision) },
    { label: texts.say('statement.madeOn'), value: moment(sealedAt, merchant.timeZone, texts) },
  ];
}

/** Everything that a statement's mail says, with all days. The same statement gives the same document. */
export function statementDocument(input: Input): SummaryDocument {
  const { merchant, statement, preview } = input;
  const texts = textsIn(merchant.language);
  const formatter = new FigureFormatter(texts, statement.currency, PAPER);
  const { merchantCode, period } = statement;
  const title = texts.say('statement.title', { period: periodLine(statement, texts) });
  const name = formatter.outside(merchantName(merchant));
  const reference = texts.say('reference', { reference: pageReference(merchantCode, period, statement) });
  const words = merchant.attachments?.paymentMethods ?? {};
  const provisional = provisionalSentences(statement, formatter);
  const currencies = currencySentences(statement, formatter);
  const about = [
    texts.say('statement.amountsIn', { currency: currencyNames(statement, formatter) }),
    texts.say('statement.sums'),
    texts.say('about.noPromise'),
    ...readSentences(statement, merchant.timeZone, formatter),
  ];
  return {
    language: texts.language,
    direction: texts.direction,
    title,
    subtitle: name,
    notices: [
      ...(preview ? [texts.say('statement.previewNote')] : []),
      ...(currencies.length === 0 ? [] : [currencies.join(' ')]),
      ...(statement.final ? [] : [[`${texts.say('statement.provisional')}.`, ...provisional].join(' ')]),
      ...weekLengthSentences(statement, formatter),
      ...closingSentences(statement, merchant.timeZone, texts),
    ],
    facts: factsOf(input, formatter),
    sections: [
      ...figuresOfDocument(statement, words, formatter),
      ...comparedOfDocument(input, formatter),
      ...adjustmentsOfDocument(statement, formatter),
      textSection(texts.say('about'), about.join(' ')),
    ],
    // A line that is too long is cut at its end.
    footer: [reference, name].join(' · '),
    metadata: {
      title: withoutIsolates([title, name].join(' · ')),
      author: merchant.brand?.senderName ?? 'Daybook',
      createdAt: statement.sealedAt,
    },
  };
}
