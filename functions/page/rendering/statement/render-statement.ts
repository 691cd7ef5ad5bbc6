import { figuresOfStatement, isEmptyStatement } from '#page/figures/statement.ts';
import { FigureFormatter } from '#mail/formatters/figure-formatter.ts';
import { merchantName } from '#mail/template/mailed-merchant.ts';
import { isolated } from '#mail/formatters/outside-text.ts';
import { periodLine } from '#mail/formatters/period-formatter.ts';
import { footerOf } from '#mail/template/footer.ts';
import type { MailPage, PageSection, RenderedMail } from '#mail/template/mail-layout.ts';
import { netPreheader, netTiles, netSection, asDayNet } from '../net.ts';
import { methodsSection, refundsSection, typesSection } from '../breakdown-sections.ts';
import { textsIn } from '#mail/texts/texts.ts';
import { aboutSection } from './about-section.ts';
import { breakdownOf, invoiceSections } from './invoice-tables.ts';
import { chartSection, daysSection } from './days-section.ts';
import { comparedSection } from './compared-section.ts';
import { currencySections, currencySentences } from '../currencies.ts';
import { basisOf } from '../came-in.ts';
import {
  resultOf,
  statementHeadline,
  statementSubject,
  subjectMatter,
  finalStamp,
  firstMarks,
  provisionalMark,
  provisionalSentences,
} from './headline.ts';
import type { StatementInput } from './headline.ts';
import { paragraph, renderedMail } from '../mail-parts.ts';

/** The merchant, the period and what came in. */
function subjectOf(input: StatementInput, formatter: FigureFormatter): string {
  const { statement } = input;
  const { texts } = formatter;
  const outcome = isEmptyStatement(statement) ? texts.say('nothingHappened') : resultOf(statement, formatter);
  return statementSubject(input, [...subjectMatter(input, formatter), outcome], formatter);
}

/** The sections of a period with records, most important first. The long table is the last. */
function sectionsOf({ merchant, statement }: StatementInput, formatter: FigureFormatter): PageSection[] {
  if (statement.currency === null) {
    return [
      ...currencySections(statement, formatter),
      ...chartSection(statement, formatter),
      ...daysSection(statement, formatter),
    ];
  }
  const words = merchant.attachments?.paymentMethods ?? {};
  const breakdown = breakdownOf(statement);
  return [
    ...netSection({ net: statement.net, breakdown }, formatter),
    ...chartSection(statement, formatter),
    ...comparedSection(statement, formatter),
    ...invoiceSections(statement, formatter),
    refundsSection(statement.refunds, formatter),
    ...typesSection(
      breakdown.byType.map(({ type, all }) => ({ type, ...all })),
      formatter,
    ),
    ...methodsSection(breakdown.byMethod ?? [], words, formatter),
    ...daysSection(statement, formatter),
  ];
}

function preheaderOf({ statement }: StatementInput, formatter: FigureFormatter): string {
  const { counts, amounts } = figuresOfStatement(statement);
  if (isEmptyStatement(statement)) return formatter.texts.say('statement.final');
  const unpaid = { count: counts.notPaid, amount: amounts?.notPaid ?? null };
  return [
    ...provisionalMark(statement, formatter).map(({ text }) => text),
    ...provisionalSentences(statement, formatter),
    ...(statement.currency === null
      ? [statementHeadline(statement, formatter), ...currencySentences(statement, formatter)]
      : [netPreheader(asDayNet(statement.net), unpaid, formatter)]),
  ].join(' · ');
}

function pageOf(input: StatementInput, formatter: FigureFormatter): MailPage {
  const { merchant, statement, preview } = input;
  const { texts } = formatter;
  const { merchantCode, period, revision } = statement;
  const empty = isEmptyStatement(statement);
  return {
    texts,
    marks: [
      ...(preview ? [paragraph(texts.say('statement.previewNote'))] : []),
      ...(input.isReplacement === true ? [paragraph(texts.say('statement.replaces'))] : []),
      ...firstMarks(statement, formatter),
    ],
    heading: formatter.outside(merchantName(merchant)),
    subheading: texts.say('statement.title', { period: periodLine(statement, texts) }),
    lead: statementHeadline(statement, formatter),
    ...(!empty && {
      leadNote: basisOf(statement.net, formatter),
      ...(statement.currency !== null && { tiles: netTiles(asDayNet(statement.net), formatter) }),
    }),
    stamp: finalStamp(statement, formatter),
    preheader: preheaderOf(input, formatter),
    sections: [...(empty ? [] : sectionsOf(input, formatter)), aboutSection(input, formatter)],
    ...footerOf(merchant, preview ? 'preview' : 'statement', formatter),
    reference: texts.say('reference', { reference: isolated([merchantCode, period, revision].join(' · ')) }),
  };
}

/** The mail of a sealed statement. The same input gives the same mail. */
export function renderStatement(input: StatementInput): RenderedMail {
  const { merchant, statement } = input;
  const texts = textsIn(merchant.language);
  return renderedMail(
    (limits) => new FigureFormatter(texts, statement.currency, limits),
    (formatter) => subjectOf(input, formatter),
    (formatter) => pageOf(input, formatter),
  );
}
