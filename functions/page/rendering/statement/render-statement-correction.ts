import type { Breakdown, CountAndAmount } from '#records/figures/breakdown.ts';
import type { Received } from '#records/figures/invoice-outcomes.ts';
import { formatAmount, parseSum } from '#records/money/money.ts';
import type { Statement, StatementDay } from '#page/figures/statement.ts';
import { figuresOfStatement } from '#page/figures/statement.ts';
import { bareChange, changedFigures, figureSection } from '../correction/changed-figures.ts';
import type { ChangedFigure } from '../correction/changed-figures.ts';
import type { MethodWords } from '../breakdown-sections.ts';
import type { Day } from '#records/day/business-day.ts';
import { dayOfTrend, listedDays, periodLine } from '#mail/formatters/day-formatter.ts';
import type { PageSection, KeyFigure, MailPage, RenderedMail } from '#mail/template/mail-layout.ts';
import { firstFact, preheaderOfFigures } from '../correction/headline.ts';
import { FigureFormatter } from '#mail/formatters/figure-formatter.ts';
import { merchantName } from '#mail/template/mailed-merchant.ts';
import { footerOf } from '#mail/template/footer.ts';
import { basisOf } from '../came-in.ts';
import { netName, asDayNet } from '../net.ts';
import {
  attachmentSentences,
  inCurrency,
  linkedSections,
  pageReference,
  paragraph,
  renderedMail,
} from '../mail-parts.ts';
import { textsIn } from '#mail/texts/texts.ts';
import { adjustsOtherwise } from '#page/figures/adjustments.ts';
import { adjustmentsSections } from './adjustments.ts';
import {
  subjectMatter,
  firstMarks,
  provisionalSentences,
  statementSubject,
  renderStatement,
} from './render-statement.ts';
import type { StatementCorrectionInput } from './render-statement.ts';

const NO_INVOICES: CountAndAmount = { count: 0, amount: '0.000' };

/** Nothing where one of the two is of an earlier version, and what came in is unknown: it is no other figure. */
function sums(
  { net: before, received }: Statement,
  { net: after, received: now }: Statement,
): ChangedFigure[] {
  if (received === null || now === null) return [];
  const hasCharges = [before, after].some(({ chargeColumns }) => chargeColumns.length > 0);
  return [
    { figure: { of: 'sum', name: 'statement.received' }, was: before.received, is: after.received },
    { figure: { of: 'sum', name: 'statement.payments' }, was: received.count, is: now.count },
    ...(hasCharges
      ? [{ figure: { of: 'sum', name: 'charges' } as const, was: before.charges, is: after.charges }]
      : []),
    {
      figure: { of: 'sum', name: hasCharges ? 'net' : 'net.withoutCharges' },
      was: before.net,
      is: after.net,
    },
  ];
}

/** The open invoices at the start and the end, where both statements know them. */
function openOnes(before: Statement, after: Statement): ChangedFigure[] {
  const names = { openBefore: 'statement.open.before', openAfter: 'statement.open.after' } as const;
  return (['openBefore', 'openAfter'] as const).flatMap((name): ChangedFigure[] => {
    const [was, is] = [before[name], after[name]];
    if (was === null || is === null) return [];
    const figure = { of: 'open', name: names[name] } as const;
    return [
      { figure: { ...figure, measure: 'count' }, was: was.count, is: is.count },
      { figure: { ...figure, measure: 'total' }, was: was.sum, is: is.sum },
    ];
  });
}

type Part = readonly [name: string | null, CountAndAmount];

/** A type or method that only one of the statements names had no invoices in the other. */
function parts(
  of: 'type' | 'method',
  before: readonly Part[],
  after: readonly Part[],
  words: MethodWords,
): ChangedFigure[] {
  const [was, is] = [new Map(before), new Map(after)];
  const names = [...new Set([...was.keys(), ...is.keys()])];
  return names.flatMap((name): ChangedFigure[] => {
    const word = name !== null && Object.hasOwn(words, name) ? (words[name] ?? name) : name;
    const [old, now] = [was.get(name) ?? NO_INVOICES, is.get(name) ?? NO_INVOICES];
    return [
      { figure: { of, name, word, measure: 'count' }, was: old.count, is: now.count },
      { figure: { of, name, word, measure: 'total' }, was: old.amount, is: now.amount },
    ];
  });
}

/** Nothing where one of the two is unknown: then each of its figures would have changed. */
function ofBreakdown(before: Statement, after: Statement, words: MethodWords): ChangedFigure[] {
  const types = ({ byType }: Breakdown) => byType.map(({ type, all }): Part => [type, all]);
  const methods = ({ byMethod }: Received) => byMethod.map(({ method, ...sum }): Part => [method, sum]);
  return [
    ...(before.breakdown === null || after.breakdown === null
      ? []
      : parts('type', types(before.breakdown), types(after.breakdown), {})),
    ...(before.received === null || after.received === null
      ? []
      : parts('method', methods(before.received), methods(after.received), words)),
  ];
}

export function isInSameCurrency(before: Statement, after: Statement): boolean {
  return before.currency !== null && before.currency === after.currency;
}

/** Whether the mails of two revisions of a statement show different figures. */
export function differsInMail(before: Statement, after: Statement): boolean {
  if (isInSameCurrency(before, after)) return changedStatement(before, after, {}).length > 0;
  const shown = ({ currency, counts, byCurrency = {}, final }: Statement) => {
    const sums = Object.entries(byCurrency).map(([of, { amounts, refunds, net }]) => [
      of,
      amounts,
      refunds,
      net,
    ]);
    return JSON.stringify({ currency, counts, sums, final });
  };
  return shown(before) !== shown(after);
}

/** Every figure that differs between two revisions of a statement, in the order of its mail. Both are in one currency. */
export function changedStatement(before: Statement, after: Statement, words: MethodWords): ChangedFigure[] {
  const shared = changedFigures(figuresOfStatement(before), figuresOfStatement(after));
  const isChanged = ({ was, is }: ChangedFigure) => was !== is;
  return [
    ...sums(before, after).filter(isChanged),
    ...shared.filter(({ figure }) => figure.of !== 'balance'),
    ...[...openOnes(before, after), ...ofBreakdown(before, after, words)].filter(isChanged),
    ...shared.filter(({ figure }) => figure.of === 'balance'),
  ];
}

interface ChangedDay {
  day: Day;
  was: StatementDay | undefined;
  is: StatementDay | undefined;
}

function changedDays(before: Statement, after: Statement): ChangedDay[] {
  const [was, is] = [before, after].map(({ days }) => new Map(days.map((day) => [day.day, day])));
  return [...new Set([...(was?.keys() ?? []), ...(is?.keys() ?? [])])]
    .sort()
    .map((day) => ({ day, was: was?.get(day), is: is?.get(day) }))
    .filter((day) => day.was?.revision !== day.is?.revision);
}

function revisionText({ was, is }: ChangedDay, { texts }: FigureFormatter): string {
  if (was === undefined) return texts.say('statement.day.new');
  if (is === undefined) return texts.say('statement.day.gone');
  return texts.say('group.revision', {
    revision: [was.revision, is.revision].map((revision) => String(revision)).join(texts.say('arrow')),
  });
}

function receivedText({ was, is }: ChangedDay, formatter: FigureFormatter): string {
  const day = is ?? was;
  if (day === undefined || was === undefined || is === undefined) {
    return formatter.bareAmount(day?.net.received ?? null);
  }
  const [before, after] = [was.net.received, is.net.received];
  return before === after ? formatter.bareAmount(after) : bareChange(before, after, formatter);
}

/** The days with another revision than before: what was received on them, before and now. */
export function changedDaysSection(
  before: Statement,
  after: Statement,
  formatter: FigureFormatter,
): PageSection[] {
  const { texts } = formatter;
  const days = changedDays(before, after);
  if (days.length === 0) return [];
  return [
    {
      heading: inCurrency('statement.daysChanged', formatter),
      table: {
        columns: [
          { text: texts.say('statement.day'), under: texts.say('workbook.revision') },
          { text: texts.say('statement.received') },
        ],
        rows: days.map((day) => ({
          cells: [
            { text: dayOfTrend(day.day, texts), under: revisionText(day, formatter) },
            { text: receivedText(day, formatter) },
          ],
        })),
      },
    },
  ];
}

/** The days that arrived, were confirmed, or are no longer confirmed since the last mail, in sentences. */
export function settledSentences(before: Statement, after: Statement, { texts }: FigureFormatter): string[] {
  const sealed = new Set(after.days.map(({ day }) => day));
  const [was, is] = [new Set(before.unbalanced), new Set(after.unbalanced)];
  const sentence = (
    name: 'statement.arrived' | 'statement.confirmed' | 'statement.unconfirmed',
    days: Day[],
  ) => (days.length === 0 ? [] : [texts.say(name, { days: listedDays(days, texts) })]);
  const arrived = before.missing.filter((day) => sealed.has(day));
  return [
    ...sentence('statement.arrived', arrived),
    ...sentence(
      'statement.confirmed',
      before.unbalanced.filter((day) => !is.has(day) && sealed.has(day)),
    ),
    ...sentence(
      'statement.unconfirmed',
      after.unbalanced.filter((day) => !was.has(day) && !arrived.includes(day)),
    ),
  ];
}

function moreCameIn(before: Statement, after: Statement, formatter: FigureFormatter): string | undefined {
  const [was, is] = [before.net.received, after.net.received];
  if (was === null || is === null || was === is) return undefined;
  const difference = parseSum(is) - parseSum(was);
  const size = formatter.amount(formatAmount(difference < 0n ? -difference : difference));
  return formatter.texts.say(difference > 0n ? 'correction.cameIn.more' : 'correction.cameIn.less', {
    amount: size,
  });
}

/** The new figures, each with the old one where it is another. */
function newKeyFigures(
  { before, statement }: StatementCorrectionInput,
  formatter: FigureFormatter,
): KeyFigure[] {
  const { texts } = formatter;
  const keyFigure = (label: string, was: string | null, is: string | null) => ({
    label,
    value: formatter.amount(is),
    ...(was !== null &&
      was !== is && { note: texts.say('statement.was', { value: formatter.bareAmount(was) }) }),
  });
  const [was, { charges, ...is }] = [before.net, asDayNet(statement.net)];
  return [
    keyFigure(texts.say('statement.received'), was.received, is.received),
    keyFigure(texts.say('statement.refunded'), was.refunded, is.refunded),
    keyFigure(netName(charges, formatter), was.net, is.net),
  ];
}

/** What changed, in one fact. Whether the statement is final now is said beside it. */
function whatChanged(
  { before, statement, merchant }: StatementCorrectionInput,
  formatter: FigureFormatter,
): string {
  const { texts } = formatter;
  const fact =
    moreCameIn(before, statement, formatter) ??
    firstFact(figuresOfStatement(before), figuresOfStatement(statement), formatter);
  if (fact !== undefined) return fact;
  if (adjustsOtherwise(before, statement)) return texts.say('statement.adjustments');
  const words = merchant.attachments?.paymentMethods ?? {};
  const changes = changedStatement(before, statement, words).filter(({ figure }) => figure.of !== 'balance');
  return texts.say(changes.length > 0 ? 'correction.some' : 'correction.none');
}

function headlineOf(input: StatementCorrectionInput, formatter: FigureFormatter): string {
  const isFinalNow = input.statement.final && !input.before.final;
  const name = isFinalNow ? 'statement.nowFinal' : 'correction.headline';
  return formatter.texts.say(name, { what: whatChanged(input, formatter) });
}

function subjectOf(input: StatementCorrectionInput, formatter: FigureFormatter): string {
  const parts = [headlineOf(input, formatter), ...subjectMatter(input, formatter)];
  return statementSubject(input, parts, formatter);
}

function preheaderOf({ before, statement }: StatementCorrectionInput, formatter: FigureFormatter): string {
  const { texts } = formatter;
  const valuesOf = (of: Statement) => ({ ...of.net, unpaid: figuresOfStatement(of).counts.notPaid });
  const [was, is] = [valuesOf(before), valuesOf(statement)];
  const figures = [
    { label: netName(asDayNet(statement.net).charges, formatter), was: was.net, is: is.net },
    { label: texts.say('correction.refunded'), was: was.refunded, is: is.refunded },
    { label: texts.say('correction.unpaid'), was: was.unpaid, is: is.unpaid },
  ];
  return [
    ...(statement.final ? [] : [texts.say('statement.provisional')]),
    ...provisionalSentences(statement, formatter),
    preheaderOfFigures(figures, formatter),
  ].join(' · ');
}

function settledSection(
  { before, statement }: StatementCorrectionInput,
  formatter: FigureFormatter,
): PageSection[] {
  const sentences = settledSentences(before, statement, formatter);
  return sentences.length === 0 ? [] : [{ lines: sentences.map(paragraph) }];
}

function wholeStatement({ attachments }: StatementCorrectionInput, formatter: FigureFormatter): string[] {
  const { texts } = formatter;
  return attachmentSentences(attachments, formatter, (formats) => {
    if (formats !== null) return [texts.say('statement.full.attached', { formats })];
    return attachments.some(({ kind }) => kind === 'linked') ? [] : [texts.say('statement.full.ask')];
  });
}

function pageOf(input: StatementCorrectionInput, formatter: FigureFormatter): MailPage {
  const { merchant, statement, before, preview } = input;
  const { texts } = formatter;
  const { merchantCode, period } = statement;
  const words = merchant.attachments?.paymentMethods ?? {};
  const { marks, stamp } = firstMarks(statement, merchant.timeZone, formatter);
  return {
    texts,
    marks: [...(preview ? [paragraph(texts.say('statement.previewNote'))] : []), ...marks],
    heading: formatter.outside(merchantName(merchant)),
    subheading: texts.say('statement.title', { period: periodLine(statement, texts) }),
    lead: headlineOf(input, formatter),
    leadNote: basisOf(statement.net, formatter),
    keyFigures: newKeyFigures(input, formatter),
    ...(stamp !== undefined && { stamp }),
    preheader: preheaderOf(input, formatter),
    sections: [
      ...settledSection(input, formatter),
      ...figureSection(changedStatement(before, statement, words), formatter, 'period'),
      ...changedDaysSection(before, statement, formatter),
      ...(adjustsOtherwise(before, statement) ? adjustmentsSections(statement, formatter) : []),
      ...linkedSections(input.attachments, formatter),
      { notes: wholeStatement(input, formatter) },
    ],
    ...footerOf(merchant, preview ? 'preview' : 'statement', formatter),
    reference: texts.say('correction.reference', {
      reference: pageReference(merchantCode, period, statement),
    }),
  };
}

/**
 * The mail about a statement's later revision: what changed since the last mail. A figure is never held
 * against one in another currency: then it is the whole statement. The same input gives the same mail.
 */
export function renderStatementCorrection(input: StatementCorrectionInput): RenderedMail {
  const { merchant, statement, before } = input;
  if (!isInSameCurrency(before, statement)) return renderStatement({ ...input, isReplacement: true });
  const texts = textsIn(merchant.language);
  return renderedMail(
    (limits) => new FigureFormatter(texts, statement.currency, limits),
    (formatter) => subjectOf(input, formatter),
    (formatter) => pageOf(input, formatter),
  );
}
