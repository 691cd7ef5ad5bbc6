import { isEmptyStatement } from '#page/figures/statement.ts';
import type { Statement } from '#page/figures/statement.ts';
import { shortOutcome } from '../report/headline.ts';
import { FigureFormatter } from '#mail/formatters/figure-formatter.ts';
import { merchantName } from '#mail/template/mailed-merchant.ts';
import { isolated } from '#mail/formatters/outside-text.ts';
import { periodLine } from '#mail/formatters/period-formatter.ts';
import { footerOf } from '#mail/template/footer.ts';
import type { MailPage, PageSection, RenderedMail } from '#mail/template/mail-layout.ts';
import { statesSection } from '../invoices-section.ts';
import { netPreheader, netTiles, netSection, asDayNet } from '../net.ts';
import { refundsSection, breakdownSections } from '../breakdown-sections.ts';
import { textsIn } from '#mail/texts/texts.ts';
import { aboutSection } from './about-section.ts';
import { chartSection, daysSection } from './days-section.ts';
import { comparedSection } from './compared-section.ts';
import { currencySections, currencySentences } from '../currencies.ts';
import {
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

function unpaidSection({ counts, amounts }: Statement, formatter: FigureFormatter): PageSection[] {
  const { texts } = formatter;
  const count = counts.notPaid;
  if (count === null) return [];
  const text =
    count === 0
      ? texts.say('statement.unpaid.none')
      : amounts === null
        ? texts.say('statement.unpaid.count', { count })
        : texts.say('statement.unpaid.amount', { count, amount: formatter.amount(amounts.notPaid) });
  return [
    {
      heading: texts.say('statement.unpaid'),
      lines: [paragraph(text)],
      notes: count === 0 ? [] : [texts.say('statement.unpaid.meaning')],
    },
  ];
}

/** The merchant, the period and what was received. */
function subjectOf(input: StatementInput, formatter: FigureFormatter): string {
  const { statement } = input;
  const { texts } = formatter;
  const outcome = isEmptyStatement(statement)
    ? texts.say('nothingHappened')
    : shortOutcome(statement, formatter);
  return statementSubject(input, [...subjectMatter(input, formatter), outcome], formatter);
}

/** The sections of a period with records, most important first. The long table is the last. */
function sectionsOf({ merchant, statement }: StatementInput, formatter: FigureFormatter): PageSection[] {
  if (statement.currency === null) {
    return [
      ...currencySections(statement, formatter),
      ...unpaidSection(statement, formatter),
      ...chartSection(statement, formatter),
      ...daysSection(statement, formatter),
    ];
  }
  const words = merchant.attachments?.paymentMethods ?? {};
  return [
    statesSection(statement, formatter),
    ...unpaidSection(statement, formatter),
    ...chartSection(statement, formatter),
    ...comparedSection(statement, formatter),
    refundsSection(statement.refunds, formatter),
    ...netSection(statement, formatter),
    ...breakdownSections(statement.breakdown, words, formatter),
    ...daysSection(statement, formatter),
  ];
}

function preheaderOf({ statement }: StatementInput, formatter: FigureFormatter): string {
  const { counts, amounts, net } = statement;
  if (isEmptyStatement(statement)) return formatter.texts.say('statement.final');
  const unpaid = { count: counts.notPaid, amount: amounts?.notPaid ?? null };
  return [
    ...provisionalMark(statement, formatter).map(({ text }) => text),
    ...provisionalSentences(statement, formatter),
    ...(statement.currency === null
      ? [statementHeadline(statement, formatter), ...currencySentences(statement, formatter)]
      : [netPreheader(asDayNet(net), unpaid, formatter)]),
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
      leadNote: texts.say('received.period'),
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
