import { figuresOfStatement } from '#page/figures/statement.ts';
import type { Statement } from '#page/figures/statement.ts';
import { formatAmount, parseSum } from '#records/money/money.ts';
import { figureSection } from '../correction/changed-figures.ts';
import { firstFact, preheaderOfFigures } from '../correction/headline.ts';
import { FigureFormatter } from '#mail/formatters/figure-formatter.ts';
import { merchantName } from '#mail/template/mailed-merchant.ts';
import { isolated } from '#mail/formatters/outside-text.ts';
import { periodLine } from '#mail/formatters/period-formatter.ts';
import { footerOf } from '#mail/template/footer.ts';
import type { MailPage, PageSection, PageTile, RenderedMail } from '#mail/template/mail-layout.ts';
import { netName, asDayNet } from '../net.ts';
import { attachmentSentences, paragraph, renderedMail } from '../mail-parts.ts';
import { textsIn } from '#mail/texts/texts.ts';
import {
  changedDaysSection,
  settledSentences,
  changedStatement,
  isInSameCurrency,
} from './changed-statement.ts';
import { basisOf } from '../came-in.ts';
import {
  subjectMatter,
  finalStamp,
  firstMarks,
  provisionalMark,
  provisionalSentences,
  statementSubject,
} from './headline.ts';
import type { StatementCorrectionInput } from './headline.ts';
import { renderStatement } from './render-statement.ts';

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
function newTiles({ before, statement }: StatementCorrectionInput, formatter: FigureFormatter): PageTile[] {
  const { texts } = formatter;
  const tile = (label: string, was: string | null, is: string | null) => ({
    label,
    value: formatter.amount(is),
    ...(was !== null && was !== is && { note: texts.say('statement.was', { value: formatter.amount(was) }) }),
  });
  const [was, { charges, ...is }] = [before.net, asDayNet(statement.net)];
  return [
    tile(texts.say('statement.received'), was.received, is.received),
    tile(texts.say('statement.refunded'), was.refunded, is.refunded),
    tile(netName(charges, formatter), was.net, is.net),
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
    ...provisionalMark(statement, formatter).map(({ text }) => text),
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
  return attachmentSentences(attachments, formatter, (filenames) => [
    filenames === null
      ? texts.say('statement.full.ask')
      : texts.say('statement.full.attached', { filenames }),
  ]);
}

function pageOf(input: StatementCorrectionInput, formatter: FigureFormatter): MailPage {
  const { merchant, statement, before, preview } = input;
  const { texts } = formatter;
  const { merchantCode, period, revision } = statement;
  const words = merchant.attachments?.paymentMethods ?? {};
  return {
    texts,
    marks: [
      ...(preview ? [paragraph(texts.say('statement.previewNote'))] : []),
      ...firstMarks(statement, formatter),
    ],
    heading: formatter.outside(merchantName(merchant)),
    subheading: texts.say('statement.title', { period: periodLine(statement, texts) }),
    lead: headlineOf(input, formatter),
    leadNote: basisOf(statement.net, formatter),
    tiles: newTiles(input, formatter),
    stamp: finalStamp(statement, formatter),
    preheader: preheaderOf(input, formatter),
    sections: [
      ...settledSection(input, formatter),
      ...figureSection(changedStatement(before, statement, words), formatter, 'period'),
      ...changedDaysSection(before, statement, formatter),
      { notes: wholeStatement(input, formatter) },
    ],
    ...footerOf(merchant, preview ? 'preview' : 'statement', formatter),
    reference: texts.say('correction.reference', {
      reference: isolated([merchantCode, period, revision].join(' · ')),
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
