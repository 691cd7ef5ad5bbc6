import { daysInOrder } from '#page/figures/statement.ts';
import type { Statement, StatementDay } from '#page/figures/statement.ts';
import type { SummaryDocument, DocumentSection } from '../document/document.ts';
import { moment, listedDays, periodLine } from '#mail/formatters/day-formatter.ts';
import { FigureFormatter, sumOf } from '#mail/formatters/figure-formatter.ts';
import { merchantName } from '#mail/template/mailed-merchant.ts';
import { isolated, withoutIsolates } from '#mail/formatters/outside-text.ts';
import type { Limits } from '#mail/template/fitting-mail.ts';
import { netSentences, netName, negative, netSection, asDayNet } from '../net.ts';
import { textsIn } from '#mail/texts/texts.ts';
import { readSentences, provisionalSentences, weekLengthSentences } from './render-statement.ts';
import { comparedSection, bestAndWorst, dayName } from './statement-sections.ts';
import { currenciesOf, currencyNames, currencySentences, amountOfDay } from '../currencies.ts';
import type { StatementInput } from './render-statement.ts';
import { INVOICE_STATES } from '#records/figures/figure-schemas.ts';
import { formatAmount } from '#records/money/money.ts';
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
    ...countsAndAmounts(texts.say('statement.invoices'), texts.say('state'), rows, formatter),
    ...(counts.notPaid !== 0 && { note: texts.say('statement.unpaid.meaning') }),
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
  { breakdown }: Statement,
  words: MethodWords,
  formatter: FigureFormatter,
): DocumentSection[] {
  if (breakdown === null) return [];
  const { texts } = formatter;
  const { byType, byMethod } = breakdown;
  const types = byType.map(({ type, all: { count, amount } }) =>
    rowOf(typeLabel(type, formatter), count, amount, formatter),
  );
  const methods = byMethod?.map(({ method, count, amount }) =>
    rowOf(methodLabel(method, words, formatter), count, amount, formatter),
  );
  return [
    countsAndAmounts(texts.say('byType'), texts.say('type'), types, formatter),
    ...(methods === undefined
      ? []
      : [
          {
            ...countsAndAmounts(texts.say('byMethod'), texts.say('method'), methods, formatter),
            note: texts.say('byMethod.meaning'),
          },
        ]),
  ];
}

function daysOfDocument(statement: Statement, formatter: FigureFormatter): DocumentSection {
  const { texts } = formatter;
  const { days, unbalanced, net } = statement;
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
  const rows = daysInOrder(statement).map((day) => [
    dayName(day, formatter),
    ...(day.page === undefined ? [texts.say('statement.day.missing')] : cellsOf(day.page)),
  ]);
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
    rows,
    total: [
      texts.say('states.total'),
      ...(statement.currency === null
        ? countCells(statement.counts)
        : cellsOf({ counts: statement.counts, net })),
    ],
  };
}

/** A page of paper has room for everything that a statement names. */
const PAPER: Limits = { list: 50, rows: 50, text: 200 };

type Input = Pick<StatementInput, 'merchant' | 'statement' | 'preview'>;
type Section = SummaryDocument['sections'][number];

function netOfDocument(statement: Pick<Statement, 'net' | 'breakdown'>, formatter: FigureFormatter): Section {
  const { texts } = formatter;
  const { net } = statement;
  const [section] = netSection(statement, formatter);
  const rows = section?.figures?.rows ?? [
    { label: texts.say('statement.received'), values: [formatter.amount(net.received)] },
    { label: texts.say('statement.approvedRefunds'), values: [formatter.amount(negative(net.refunded))] },
    { label: texts.say('net.withoutCharges'), values: [formatter.amount(net.net)] },
  ];
  const cells = rows.map(({ label, values }) => [label, ...values]);
  return {
    title: texts.say('statement.net.title'),
    note: [texts.say('received.period'), ...netSentences(asDayNet(net), formatter)].join(' '),
    columns: [
      { head: texts.say('correction.figure'), align: 'start' },
      { head: texts.say('amount'), align: 'end' },
    ],
    rows: cells.slice(0, -1),
    total: cells.at(-1) ?? [],
  };
}

/** The net, the states, the days and the refunds: of the whole statement, or of each of its currencies. */
function figuresOfDocument(statement: Statement, formatter: FigureFormatter): Section[] {
  if (statement.currency !== null) {
    return [
      netOfDocument(statement, formatter),
      statesOfDocument(statement, formatter),
      daysOfDocument(statement, formatter),
      refundsOfDocument(statement, formatter),
    ];
  }
  const ofEach = currenciesOf(statement).flatMap(({ currency, sum, days }) => {
    const figures = formatter.in(currency);
    const of = listedDays(
      days.map(({ day }) => day),
      formatter.texts,
    );
    const parts = [
      netOfDocument({ ...sum, breakdown: null }, figures),
      statesOfDocument(sum, figures),
      refundsOfDocument(sum, figures),
    ];
    return parts.map((part) => ({ ...part, title: [part.title, figures.currency, of].join(' · ') }));
  });
  return [...ofEach, daysOfDocument(statement, formatter)];
}

/** The comparison of the mail. What is below a figure there is a row of its own here. */
function comparedOfDocument({ statement }: Input, formatter: FigureFormatter): Section[] {
  return comparedSection(statement, formatter).flatMap(({ heading = '', table, notes = [] }) =>
    table === undefined
      ? []
      : [
          {
            title: heading,
            note: notes.join(' '),
            columns: table.columns.map(({ text }, index) => ({
              head: text,
              align: index === 0 ? ('start' as const) : ('end' as const),
            })),
            rows: table.rows.flatMap(({ cells }) => [
              cells.map(({ text }) => text),
              cells.map(({ under = '' }) => under),
            ]),
          },
        ],
  );
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
  const { merchantCode, period, revision } = statement;
  const title = texts.say('statement.title', { period: periodLine(statement, texts) });
  const name = formatter.outside(merchantName(merchant));
  const reference = texts.say('reference', {
    reference: isolated([merchantCode, period, revision].join(' · ')),
  });
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
    ],
    facts: factsOf(input, formatter),
    sections: [
      ...figuresOfDocument(statement, formatter),
      ...breakdownOfDocument(statement, words, formatter),
      ...comparedOfDocument(input, formatter),
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
