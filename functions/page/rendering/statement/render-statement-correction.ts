import type { Breakdown, CountAndAmount } from '#records/figures/breakdown.ts';
import type { Received } from '#records/figures/invoice-outcomes.ts';
import type { Statement, StatementDay } from '#page/figures/statement.ts';
import { figuresOfStatement } from '#page/figures/statement.ts';
import { bareChange, changedFigure, changedFigures, figureSection } from '../correction/changed-figures.ts';
import type { Change, ChangedFigure } from '../correction/changed-figures.ts';
import type { Day } from '#records/day/business-day.ts';
import { dayOfTrend } from '#mail/formatters/day-formatter.ts';
import type { PageSection, KeyFigure, MailPage, RenderedMail } from '#mail/template/mail-layout.ts';
import { cameInFact, firstFact, preheaderOf } from '../correction/headline.ts';
import type { FigureFormatter } from '#mail/formatters/figure-formatter.ts';
import { netTextName } from '../net.ts';
import { attachmentSentences, inCurrency, paragraph, renderedMail } from '../mail-parts.ts';
import type { TextName } from '#mail/texts/texts.ts';
import { adjustsOtherwise } from '#page/figures/adjustments.ts';
import { adjustmentsSections } from './adjustments.ts';
import {
  daysSentence,
  provisionalSentences,
  renderStatement,
  statementPage,
  statementSubject,
} from './render-statement.ts';
import type { StatementCorrectionInput } from './render-statement.ts';

const NO_INVOICES: CountAndAmount = { count: 0, amount: '0.000' };

/** Nothing where one of the two is of an earlier version, and what came in is unknown: it is no other figure. */
function changedSums(
  { net: was, received: before }: Statement,
  { net: is, received: after }: Statement,
): ChangedFigure[] {
  if (before === null || after === null) return [];
  const hasCharges = [was, is].some(({ chargeColumns }) => chargeColumns.length > 0);
  const sum = (name: TextName, ...values: Change) => changedFigure({ of: 'named', name }, values);
  return [
    ...sum('statement.received', was.received, is.received),
    ...sum('statement.payments', before.count, after.count),
    ...(hasCharges ? sum('charges', was.charges, is.charges) : []),
    ...sum(hasCharges ? 'net' : 'net.withoutCharges', was.net, is.net),
  ];
}

const OPEN = { openBefore: 'statement.open.before', openAfter: 'statement.open.after' } as const;

/** The open invoices at the start and the end, where both statements know them. */
function changedOpen(before: Statement, after: Statement): ChangedFigure[] {
  return (['openBefore', 'openAfter'] as const).flatMap((at) => {
    const [was, is] = [before[at], after[at]];
    if (was === null || is === null) return [];
    return changedFigure({ of: 'named', name: OPEN[at] }, [was.count, is.count], [was.sum, is.sum]);
  });
}

type Part = readonly [name: string | null, CountAndAmount];

/** A type or method that only one of the statements names had no invoices in the other. */
function changedParts(
  of: 'type' | 'method',
  before: readonly Part[],
  after: readonly Part[],
): ChangedFigure[] {
  const [was, is] = [new Map(before), new Map(after)];
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((name) => {
    const [old, now] = [was.get(name) ?? NO_INVOICES, is.get(name) ?? NO_INVOICES];
    return changedFigure({ of, name }, [old.count, now.count], [old.amount, now.amount]);
  });
}

/** Nothing where one of the two is unknown: then each of its figures would have changed. */
function changedBreakdown(before: Statement, after: Statement): ChangedFigure[] {
  const types = ({ byType }: Breakdown) => byType.map(({ type, all }): Part => [type, all]);
  const methods = ({ byMethod }: Received) => byMethod.map(({ method, ...sum }): Part => [method, sum]);
  return [
    ...(before.breakdown === null || after.breakdown === null
      ? []
      : changedParts('type', types(before.breakdown), types(after.breakdown))),
    ...(before.received === null || after.received === null
      ? []
      : changedParts('method', methods(before.received), methods(after.received))),
  ];
}

function isInSameCurrency(before: Statement, after: Statement): boolean {
  return before.currency !== null && before.currency === after.currency;
}

/** Whether the mails of two revisions of a statement show different figures. */
export function differsInMail(before: Statement, after: Statement): boolean {
  if (isInSameCurrency(before, after)) return changedStatement(before, after).length > 0;
  const shown = ({ currency, counts, byCurrency = {}, final }: Statement) => {
    const sums = Object.entries(byCurrency).map(([of, { amounts, refunds, net }]) => {
      return { of, amounts, refunds, net };
    });
    return JSON.stringify({ currency, counts, sums, final });
  };
  return shown(before) !== shown(after);
}

/** Every figure that differs between two revisions of a statement, in the order of its mail. Both are in one currency. */
function changedStatement(before: Statement, after: Statement): ChangedFigure[] {
  const shared = changedFigures(figuresOfStatement(before), figuresOfStatement(after));
  return [
    ...changedSums(before, after),
    ...shared.filter(({ figure }) => figure.of !== 'balance'),
    ...changedOpen(before, after),
    ...changedBreakdown(before, after),
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

function changedDaysSection(before: Statement, after: Statement, formatter: FigureFormatter): PageSection[] {
  const { texts } = formatter;
  const days = changedDays(before, after);
  if (days.length === 0) return [];
  const receivedText = ({ was, is }: ChangedDay) =>
    bareChange((was ?? is)?.net.received ?? null, (is ?? was)?.net.received ?? null, formatter);
  return [
    {
      heading: inCurrency('statement.daysChanged', formatter),
      table: {
        columns: [
          { text: texts.say('statement.day'), under: texts.say('workbook.revision') },
          { text: texts.say('statement.received') },
        ],
        rows: days.map((changed) => ({
          cells: [
            { text: dayOfTrend(changed.day, texts), under: revisionText(changed, formatter) },
            { text: receivedText(changed) },
          ],
        })),
      },
    },
  ];
}

/** The days that arrived, were confirmed, or are no longer confirmed since the last mail, in sentences. */
function settledSection(
  { before, statement: after }: StatementCorrectionInput,
  { texts }: FigureFormatter,
): PageSection[] {
  const sealed = new Set(after.days.map(({ day }) => day));
  const [was, is] = [new Set(before.unbalanced), new Set(after.unbalanced)];
  const arrived = before.missing.filter((day) => sealed.has(day));
  const confirmed = before.unbalanced.filter((day) => !is.has(day) && sealed.has(day));
  const unconfirmed = after.unbalanced.filter((day) => !was.has(day) && !arrived.includes(day));
  const sentences = [
    ...daysSentence('statement.arrived', arrived, texts),
    ...daysSentence('statement.confirmed', confirmed, texts),
    ...daysSentence('statement.unconfirmed', unconfirmed, texts),
  ];
  return sentences.length === 0 ? [] : [{ lines: sentences.map(paragraph) }];
}

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
  const [was, is] = [before.net, statement.net];
  return [
    keyFigure(texts.say('statement.received'), was.received, is.received),
    keyFigure(texts.say('statement.refunded'), was.refunded, is.refunded),
    keyFigure(texts.say(netTextName(is)), was.net, is.net),
  ];
}

/** What changed, in one fact. Whether the statement is final now is said beside it. */
function whatChanged({ before, statement }: StatementCorrectionInput, formatter: FigureFormatter): string {
  const { texts } = formatter;
  const fact =
    cameInFact(before.net.received, statement.net.received, formatter) ??
    firstFact(figuresOfStatement(before), figuresOfStatement(statement), formatter);
  if (fact !== undefined) return fact;
  if (adjustsOtherwise(before, statement)) return texts.say('statement.adjustments');
  const hasChanged = changedStatement(before, statement).some(({ figure }) => figure.of !== 'balance');
  return texts.say(hasChanged ? 'correction.some' : 'correction.none');
}

function headlineOf(input: StatementCorrectionInput, formatter: FigureFormatter): string {
  const isFinalNow = input.statement.final && !input.before.final;
  const name = isFinalNow ? 'statement.nowFinal' : 'correction.headline';
  return formatter.texts.say(name, { what: whatChanged(input, formatter) });
}

function subjectOf(input: StatementCorrectionInput, formatter: FigureFormatter): string {
  return statementSubject(input, (matter) => [headlineOf(input, formatter), ...matter], formatter);
}

function preheaderText({ before, statement }: StatementCorrectionInput, formatter: FigureFormatter): string {
  const [was, is] = [before.net, statement.net];
  const unpaidOf = (of: Statement) => figuresOfStatement(of).counts.notPaid;
  return [
    ...(statement.final ? [] : [formatter.texts.say('statement.provisional')]),
    ...provisionalSentences(statement, formatter),
    preheaderOf(
      [netTextName(is), [was.net, is.net]],
      [was.refunded, is.refunded],
      [unpaidOf(before), unpaidOf(statement)],
      formatter,
    ),
  ].join(' · ');
}

function pageOf(input: StatementCorrectionInput, formatter: FigureFormatter): MailPage {
  const { merchant, statement, before } = input;
  const words = merchant.attachments?.paymentMethods ?? {};
  const own = {
    marks: [],
    lead: headlineOf(input, formatter),
    keyFigures: newKeyFigures(input, formatter),
    preheader: preheaderText(input, formatter),
    sections: [
      ...settledSection(input, formatter),
      ...figureSection(changedStatement(before, statement), formatter, { of: 'period', words }),
      ...changedDaysSection(before, statement, formatter),
      ...(adjustsOtherwise(before, statement) ? adjustmentsSections(statement, formatter) : []),
    ],
  };
  const files = attachmentSentences(
    input.attachments,
    formatter,
    'statement.full.attached',
    'statement.full.ask',
  );
  return statementPage(input, own, [{ notes: files }, 'correction.reference'], formatter);
}

/**
 * The mail about a statement's later revision: what changed since the last mail. A figure is never held
 * against one in another currency: then it is the whole statement. The same input gives the same mail.
 */
export function renderStatementCorrection(input: StatementCorrectionInput): RenderedMail {
  const { merchant, statement, before } = input;
  if (!isInSameCurrency(before, statement)) return renderStatement({ ...input, isReplacement: true });
  return renderedMail(
    input,
    { language: merchant.language, currency: statement.currency },
    subjectOf,
    pageOf,
  );
}
