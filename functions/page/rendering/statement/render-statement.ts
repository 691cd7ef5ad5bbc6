import { FigureFormatter } from '#mail/formatters/figure-formatter.ts';
import { merchantName } from '#mail/template/mailed-merchant.ts';
import { isolated } from '#mail/formatters/outside-text.ts';
import { periodLine } from '#mail/formatters/period-formatter.ts';
import { footerOf } from '#mail/template/footer.ts';
import { fittingMail } from '#mail/template/fitting-mail.ts';
import type { Limits } from '#mail/template/fitting-mail.ts';
import { LONGEST_SUBJECT } from '#mail/template/mail-page.ts';
import type { MailPage, PageSection, RenderedMail } from '#mail/template/mail-page.ts';
import { statesSection } from '../report/invoices-section.ts';
import { netPreheader, netTiles } from '../report/net-figures.ts';
import { refundsSection } from '../report/refunds-section.ts';
import { textsIn } from '#mail/texts/texts.ts';
import { aboutSection } from './about-section.ts';
import { breakdownSections } from './breakdown-sections.ts';
import { chartSection } from './chart-section.ts';
import { comparedSection } from './compared-section.ts';
import { currencySections, currencySentences } from './currencies.ts';
import { daysSection } from './days-section.ts';
import { isEmpty, statementHeadline, statementSubject } from './headline.ts';
import { netSection } from './net-section.ts';
import { finalStamp, firstMarks, provisionalMark, provisionalSentences } from './provisional.ts';
import type { StatementInput } from './statement-input.ts';
import { asDayNet } from './statement-net.ts';
import type { Statement } from '#page/figures/statement.ts';
import { paragraph } from '../report/more-lines.ts';

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

/** A subject has no lists, and is cut as a whole. */
const SUBJECT: Limits = { list: 0, rows: 0, text: LONGEST_SUBJECT };

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
    refundsSection(statement.refunds, formatter, 'refunds.period'),
    ...netSection(statement, formatter),
    ...breakdownSections(statement.breakdown, words, formatter),
    ...daysSection(statement, formatter),
  ];
}

function preheaderOf({ statement }: StatementInput, formatter: FigureFormatter): string {
  const { counts, amounts, net } = statement;
  if (isEmpty(statement)) return formatter.texts.say('statement.final');
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
  const empty = isEmpty(statement);
  return {
    texts,
    marks: [
      ...(preview ? [{ text: texts.say('statement.previewNote'), tone: 'plain' as const }] : []),
      ...(input.isReplacement === true
        ? [{ text: texts.say('statement.replaces'), tone: 'plain' as const }]
        : []),
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
  const formatterWithin = (limits: Limits) => new FigureFormatter(texts, statement.currency, limits);
  const contents = fittingMail((limits) => pageOf(input, formatterWithin(limits)));
  return { subject: statementSubject(input, formatterWithin(SUBJECT)), ...contents };
}
