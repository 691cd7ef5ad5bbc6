import { daysInOrder } from '#page/figures/statement.ts';
import type { Statement, StatementDay } from '#page/figures/statement.ts';
import type { SummaryDocument, DocumentSection } from '../document/document.ts';
import { moment, periodLine } from '#mail/formatters/day-formatter.ts';
import { FigureFormatter, sumOf } from '#mail/formatters/figure-formatter.ts';
import { merchantName } from '#mail/template/mailed-merchant.ts';
import { isolated, withoutIsolates } from '#mail/formatters/outside-text.ts';
import { pageReference } from '../mail-parts.ts';
import type { Limits } from '#mail/template/fitting-mail.ts';
import { netSentences, netName, netRows, asDayNet } from '../net.ts';
import { textsIn } from '#mail/texts/texts.ts';
import { readSentences, provisionalSentences, weekLengthSentences } from './render-statement.ts';
import { comparedTable, bestAndWorst, dayName, linesOf } from './statement-sections.ts';
import {
  currenciesOf,
  currencyNames,
  currencySentences,
  amountOfDay,
  daysOfCurrency,
} from '../currencies.ts';
import { adjustmentsOfDocument, closingSentences } from './adjustments.ts';
import { basisOf } from '../came-in.ts';
import { ageRows, breakdownOf, countOf, issuedMeaning, issuedRows, openRows } from './invoice-tables.ts';
import type { InvoiceRow } from './invoice-tables.ts';
import type { Received } from '#records/figures/invoice-outcomes.ts';
import type { StatementInput } from './render-statement.ts';
import { INVOICE_STATES } from '#records/figures/figure-schemas.ts';
import { formatAmount } from '#records/money/money.ts';
import { periodKind } from '#records/period/period.ts';
import { methodLabel, typeLabel } from '../breakdown-sections.ts';
import type { MethodWords } from '../breakdown-sections.ts';

function countsAndAmounts(
  title: string,
  head: string,
  rows: DocumentSection['rows'],
  { texts }: FigureFormatter,
): DocumentSection {
  return {
    title,
    columns: [
      { head, align: 'start' },
      { head: texts.say('count'), align: 'end' },
      { head: texts.say('amount'), align: 'end' },
    ],
    rows,
  };
}

function rowOf(label: string, count: number | null, amount: string | null, formatter: FigureFormatter) {
  return [label, formatter.count(count), formatter.bareAmount(amount)];
}

function tableOf(
  title: string,
  head: string,
  rows: readonly InvoiceRow[],
  formatter: FigureFormatter,
): DocumentSection {
  const cells = rows.map((one) => [
    one.label,
    countOf(one, formatter),
    formatter.bareAmount(one.amount, one.isChange),
  ]);
  return { ...countsAndAmounts(title, head, cells.slice(0, -1), formatter), total: cells.at(-1) ?? [] };
}

/** What was made in the period, what is open of all, and how old that is. */
function invoicesOfDocument(statement: Statement, formatter: FigureFormatter): DocumentSection[] {
  const { texts } = formatter;
  const issued = issuedRows(statement, texts);
  const open = openRows(statement, texts);
  const ages = ageRows(statement, texts);
  const [openName, expiredName] = [texts.say('statement.open.state'), texts.say('statement.expired.state')];
  return [
    issued === null
      ? statesOfDocument(statement, formatter)
      : {
          ...tableOf(texts.say('statement.made'), texts.say('state'), issued, formatter),
          note: issuedMeaning(statement, texts),
        },
    open === null
      ? {
          title: texts.say('statement.open'),
          note: texts.say('statement.open.unknown'),
          columns: [],
          rows: [],
        }
      : {
          ...tableOf(texts.say('statement.open'), texts.say('invoices'), open, formatter),
          note: texts.say('statement.open.meaning'),
        },
    ...(ages === null
      ? []
      : [
          {
            title: texts.say('statement.ageing'),
            columns: [
              { head: texts.say('statement.ageing.age'), align: 'start' as const },
              ...[openName, texts.say('amount'), expiredName, texts.say('amount')].map((head) => ({
                head,
                align: 'end' as const,
              })),
            ],
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

function statesOfDocument(
  { counts, amounts }: Pick<Statement, 'counts' | 'amounts'>,
  formatter: FigureFormatter,
): DocumentSection {
  const { texts } = formatter;
  const rows = INVOICE_STATES.map((state) =>
    rowOf(texts.say(`states.${state}`), counts[state], amounts?.[state] ?? null, formatter),
  );
  const sum = amounts === null ? null : formatAmount(sumOf(amounts));
  return {
    ...countsAndAmounts(texts.say('statement.made'), texts.say('state'), rows, formatter),
    note: texts.say('statement.made.lastRead'),
    total: rowOf(texts.say('states.total'), counts.total, sum, formatter),
  };
}

function refundsOfDocument(
  { refunds }: Pick<Statement, 'refunds'>,
  formatter: FigureFormatter,
): DocumentSection {
  const { texts } = formatter;
  const { byStatus, count, total } = refunds;
  const rows = Object.entries(byStatus)
    .slice(0, formatter.limits.list)
    .map(([status, of]) => rowOf(formatter.refundStatus(status), of.count, of.total, formatter));
  return {
    ...countsAndAmounts(texts.say('statement.refundsByDate'), texts.say('refundStatus'), rows, formatter),
    total: rowOf(texts.say('allRefunds'), count, total, formatter),
  };
}

/** Empty when unknown of one of the days. */
function breakdownOfDocument(
  statement: Statement,
  words: MethodWords,
  formatter: FigureFormatter,
): DocumentSection[] {
  const { texts } = formatter;
  const { byType, byMethod } = breakdownOf(statement);
  const types = byType.map(({ type, all: { count, amount } }) =>
    rowOf(typeLabel(type, formatter), count, amount, formatter),
  );
  const methods = byMethod?.map(({ method, count, amount }) =>
    rowOf(methodLabel(method, words, formatter), count, amount, formatter),
  );
  return [
    ...(types.length === 0
      ? []
      : [countsAndAmounts(texts.say('byType'), texts.say('type'), types, formatter)]),
    ...(methods === undefined
      ? []
      : [countsAndAmounts(texts.say('cameIn.byMethod'), texts.say('method'), methods, formatter)]),
  ];
}

type DayFigures = Pick<StatementDay, 'net' | 'currency'> & { received: Pick<Received, 'count'> | null };

function dayColumns({ net }: Statement, formatter: FigureFormatter): DocumentSection['columns'] {
  const { texts } = formatter;
  const heads = [
    texts.say('statement.payments'),
    texts.say('statement.received'),
    texts.say('statement.refunded'),
    ...(net.chargeColumns.length > 0 ? [texts.say('charges')] : []),
    netName(asDayNet(net).charges, formatter),
  ];
  return [
    { head: texts.say('statement.day'), align: 'start' },
    ...heads.map((head) => ({ head, align: 'end' }) as const),
  ];
}

function dayCells(
  { received: payments, currency, net: { received, refunded, charges, net } }: DayFigures,
  { net: { chargeColumns } }: Statement,
  formatter: FigureFormatter,
): string[] {
  const amounts = [received, refunded, ...(chargeColumns.length > 0 ? [charges] : []), net];
  return [
    formatter.count(payments?.count ?? null),
    ...amounts.map((amount) => amountOfDay({ currency }, amount, formatter)),
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
    ...(notes.length > 0 && { note: notes.join(' ') }),
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
type Section = SummaryDocument['sections'][number];

function netOfDocument(statement: Pick<Statement, 'net' | 'breakdown'>, formatter: FigureFormatter): Section {
  const { texts } = formatter;
  const { net } = statement;
  const rows = netRows(statement, formatter);
  return {
    title: texts.say('statement.net.title'),
    note: [basisOf(net, formatter), ...netSentences(asDayNet(net), formatter)].join(' '),
    columns: [
      { head: texts.say('correction.figure'), align: 'start' },
      { head: texts.say('amount'), align: 'end' },
    ],
    rows: rows.slice(0, -1),
    total: rows.at(-1) ?? [],
  };
}

/** The net, the invoices, the days and the refunds: of the whole statement, or of each of its currencies. */
function figuresOfDocument(statement: Statement, words: MethodWords, formatter: FigureFormatter): Section[] {
  if (statement.currency !== null) {
    return [
      netOfDocument({ net: statement.net, breakdown: breakdownOf(statement) }, formatter),
      ...invoicesOfDocument(statement, formatter),
      daysOfDocument(statement, formatter),
      ...linesOfDocument(statement, formatter),
      refundsOfDocument(statement, formatter),
      ...breakdownOfDocument(statement, words, formatter),
    ];
  }
  const ofEach = currenciesOf(statement).flatMap((one) => {
    const figures = formatter.in(one.currency);
    const of = daysOfCurrency(one, formatter);
    const parts = [
      netOfDocument({ net: one.sum.net, breakdown: breakdownOf(one.statement) }, figures),
      ...invoicesOfDocument(one.statement, figures),
      ...linesOfDocument(one.statement, figures),
      refundsOfDocument(one.sum, figures),
      ...breakdownOfDocument(one.statement, words, figures),
    ];
    return parts.map((part) => ({ ...part, title: [part.title, figures.currency, of].join(' · ') }));
  });
  return [...ofEach, daysOfDocument(statement, formatter)];
}

/** Each figure of an earlier period, and below it the difference. */
function comparedOfDocument({ statement }: Input, formatter: FigureFormatter): Section[] {
  const { texts } = formatter;
  const compared = comparedTable(statement, formatter);
  if (compared === null) return [];
  return [
    {
      title: texts.say('statement.compared'),
      note: compared.note,
      columns: [
        { head: texts.say('correction.figure'), align: 'start' },
        ...compared.columns.map((head) => ({ head, align: 'end' as const })),
      ],
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
      {
        title: texts.say('about'),
        note: [
          texts.say('statement.amountsIn', { currency: currencyNames(statement, formatter) }),
          texts.say('statement.sums'),
          texts.say('about.noPromise'),
          ...readSentences(statement, merchant.timeZone, formatter),
        ].join(' '),
        columns: [],
        rows: [],
      },
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
