import { dayAt } from '#records/day/business-day.ts';
import type { Day } from '#records/day/business-day.ts';
import { figuresOfStatement, isEmptyStatement } from '#page/figures/statement.ts';
import type { Statement, StatementDay } from '#page/figures/statement.ts';
import { merchantName } from '#mail/template/mailed-merchant.ts';
import {
  periodInSubject,
  listedDays,
  periodLine,
  localMoment,
  moment,
} from '#mail/formatters/day-formatter.ts';
import { LONGEST_NAME } from '../report/headline.ts';
import type { ReportedMerchant } from '../report/headline.ts';
import {
  attachmentSentences,
  linkedSections,
  oneNote,
  pageReference,
  paragraph,
  renderedMail,
  subjectLine,
  moneySection,
} from '../mail-parts.ts';
import type { PageAttachment } from '../mail-parts.ts';
import type { MailPage, PageSection, RenderedMail } from '#mail/template/mail-layout.ts';
import type { TextName, Texts } from '#mail/texts/texts.ts';
import { unusualLength } from '#records/period/period.ts';
import type { FigureFormatter } from '#mail/formatters/figure-formatter.ts';
import { footerOf } from '#mail/template/footer.ts';
import {
  cameIn,
  chargesByColumn,
  currencySection,
  netKeyFigures,
  netPreheader,
  netSentences,
  periodBasis,
} from '../net.ts';
import { adjustmentsSections, closingSentences } from './adjustments.ts';
import { breakdownOf, invoiceSections } from './statement-tables.ts';
import { daysSection, comparedSection } from './statement-sections.ts';

export interface StatementInput {
  merchant: ReportedMerchant;
  statement: Statement;
  preview: boolean;
  attachments: readonly PageAttachment[];
  /** Whether it replaces a statement whose amounts were in another currency, and is marked so. */
  isReplacement?: boolean;
}

export interface StatementCorrectionInput extends StatementInput {
  /** The statement of the mail that is corrected. */
  before: Statement;
}

interface CurrencyOfStatement {
  currency: string;
  /** Of its days alone, and not compared. */
  sum: Statement;
}

/** The currencies of a statement that has several, by code: their amounts are never added up. Empty for any other. */
export function currenciesOf({ byCurrency = {}, ...whole }: Statement): CurrencyOfStatement[] {
  return Object.entries(byCurrency).map(([currency, sum]) => {
    const days = whole.days.filter((day) => day.currency === currency);
    const unbalanced = namesOf(days.filter(({ balanced }) => !balanced));
    const alone = { days, missing: [], unbalanced, before: null, lastYear: null };
    return { currency, sum: { ...whole, ...sum, currency, ...alone } };
  });
}

export function daysOfCurrency({ sum }: CurrencyOfStatement, { texts }: FigureFormatter): string {
  return listedDays(namesOf(sum.days), texts);
}

export function currencyNames(statement: Statement, formatter: FigureFormatter): string {
  const all = currenciesOf(statement).map(({ currency }) => formatter.in(currency).currency);
  return all.length === 0 ? formatter.currency : all.join(formatter.texts.say('comma'));
}

function namesOf(days: readonly StatementDay[]): Day[] {
  return days.map(({ day }) => day);
}

/** Says that there are several currencies, and whose came from the registry. Empty for one currency. */
export function currencySentences(statement: Statement, formatter: FigureFormatter): string[] {
  const { texts } = formatter;
  const all = currenciesOf(statement);
  if (all.length === 0) return [];
  return [
    texts.say('statement.currencies', { currencies: currencyNames(statement, formatter) }),
    ...all.flatMap(({ currency, sum }) => {
      const assumed = namesOf(sum.days.filter(({ isAssumed = false }) => isAssumed));
      const values = { currency: formatter.in(currency).currency };
      return daysSentence('statement.currencies.assumed', assumed, texts, values);
    }),
  ];
}

function resultOf(statement: Statement, formatter: FigureFormatter): string {
  const { currency } = statement;
  const parts = currency === null ? currenciesOf(statement) : [{ currency, sum: statement }];
  return cameIn(statement, parts, formatter);
}

/** @param partsOf of the merchant and the period, which are in every subject */
export function statementSubject(
  { merchant, statement, preview }: StatementInput,
  partsOf: (matter: readonly string[]) => string[],
  { texts }: FigureFormatter,
): string {
  const mailed = dayAt(Date.parse(statement.sealedAt), merchant.timeZone);
  const matter = [merchantName(merchant, LONGEST_NAME), periodInSubject(statement, mailed, texts)];
  return subjectLine(partsOf(matter), { preview, warning: statement.final ? null : 'provisional' }, texts);
}

/** Empty without a day. */
export function daysSentence(
  name: TextName,
  days: readonly Day[],
  texts: Texts,
  values: Readonly<Record<string, string>> = {},
): string[] {
  return days.length === 0 ? [] : [texts.say(name, { ...values, days: listedDays(days, texts) })];
}

export function provisionalSentences(
  { final, missing, unbalanced }: Statement,
  { texts }: FigureFormatter,
): string[] {
  if (final) return [];
  return [
    ...daysSentence('statement.missing', missing, texts),
    ...daysSentence('statement.unbalanced', unbalanced, texts),
  ];
}

export function weekLengthSentences(statement: Statement, { texts }: FigureFormatter): string[] {
  const count = unusualLength(statement);
  return count === undefined ? [] : [texts.say('statement.week.length', { count })];
}

/** That it is provisional, at the top, or below its result that it is final; with what else is to be known first. */
function firstMarks(
  statement: Statement,
  timeZone: string,
  formatter: FigureFormatter,
): Pick<MailPage, 'marks' | 'stamp'> {
  const { texts } = formatter;
  const { final, net, counts } = statement;
  const currencies = currencySentences(statement, formatter);
  const closing = closingSentences(statement, timeZone, texts);
  const lengths = [...weekLengthSentences(statement, formatter), ...closing].map(paragraph);
  if (!final) {
    const sentences = [
      `${texts.say('statement.provisional')}.`,
      ...provisionalSentences(statement, formatter),
      texts.say('statement.follows'),
      ...currencies,
    ];
    return { marks: [{ text: sentences.join(' '), tone: 'bad' }, ...lengths] };
  }
  const isKnown = net.net !== null && !Object.values(counts).includes(null);
  const text = texts.say(isKnown ? 'statement.final' : 'statement.finalKnown');
  return {
    marks: lengths,
    stamp: { text: [text, ...currencies].join('. '), tone: isKnown ? 'good' : 'plain' },
  };
}

function subjectOf(input: StatementInput, formatter: FigureFormatter): string {
  const { statement } = input;
  const { texts } = formatter;
  const outcome = isEmptyStatement(statement) ? texts.say('nothingHappened') : resultOf(statement, formatter);
  return statementSubject(input, (matter) => [...matter, outcome], formatter);
}

/** The sections of a period with records, most important first; of several currencies those of each. */
function sectionsOf(
  { merchant, statement }: Pick<StatementInput, 'merchant' | 'statement'>,
  formatter: FigureFormatter,
): PageSection[] {
  if (statement.currency === null) {
    return currenciesOf(statement).flatMap((one) => {
      const figures = formatter.in(one.currency);
      return [
        currencySection(one.sum, daysOfCurrency(one, formatter), figures),
        ...sectionsOf({ merchant, statement: one.sum }, figures),
      ];
    });
  }
  const words = merchant.attachments?.paymentMethods ?? {};
  const { byMethod } = breakdownOf(statement);
  return [
    ...daysSection(statement, formatter),
    ...comparedSection(statement, formatter),
    ...invoiceSections(statement, formatter),
    moneySection({ byMethod, refunds: statement.refunds }, 'period', words, formatter),
  ];
}

function preheaderOf({ statement }: StatementInput, formatter: FigureFormatter): string {
  const { counts, amounts } = figuresOfStatement(statement);
  if (isEmptyStatement(statement)) return formatter.texts.say('statement.final');
  const unpaid = { count: counts.notPaid, amount: amounts?.notPaid ?? null };
  return [
    ...(statement.final ? [] : [formatter.texts.say('statement.provisional')]),
    ...provisionalSentences(statement, formatter),
    ...(statement.currency === null
      ? [resultOf(statement, formatter), ...currencySentences(statement, formatter)]
      : [netPreheader(statement.net, unpaid, formatter)]),
  ].join(' · ');
}

type OwnOfMail = Pick<MailPage, 'marks' | 'lead' | 'leadNote' | 'keyFigures' | 'preheader' | 'sections'>;

/** What the mail of a statement and that of its correction show alike, with what is their own. */
export function statementPage(
  { merchant, statement, preview, attachments }: StatementInput,
  { marks, sections, ...own }: OwnOfMail,
  [about, reference]: readonly [about: PageSection, reference: 'reference' | 'correction.reference'],
  formatter: FigureFormatter,
): MailPage {
  const { texts } = formatter;
  const first = firstMarks(statement, merchant.timeZone, formatter);
  return {
    texts,
    leadNote: periodBasis(statement.net, formatter),
    ...own,
    ...first,
    marks: [...(preview ? [paragraph(texts.say('statement.previewNote'))] : []), ...marks, ...first.marks],
    heading: formatter.outside(merchantName(merchant)),
    subheading: texts.say('statement.title', { period: periodLine(statement, texts) }),
    sections: [...sections, ...linkedSections(attachments, formatter), about],
    ...footerOf(merchant, preview ? 'preview' : 'statement', formatter),
    reference: texts.say(reference, {
      reference: pageReference(statement.merchantCode, statement.period, statement),
    }),
  };
}

function pageOf(input: StatementInput, formatter: FigureFormatter): MailPage {
  const { statement, isReplacement = false } = input;
  const { texts } = formatter;
  const empty = isEmptyStatement(statement);
  const own = {
    marks: isReplacement ? [paragraph(texts.say('statement.replaces'))] : [],
    lead: empty ? texts.say('statement.empty') : resultOf(statement, formatter),
    ...(empty && { leadNote: '' }),
    keyFigures: empty || statement.currency === null ? [] : netKeyFigures(statement.net, formatter),
    preheader: preheaderOf(input, formatter),
    sections: [...(empty ? [] : sectionsOf(input, formatter)), ...adjustmentsSections(statement, formatter)],
  };
  return statementPage(input, own, [aboutSection(input, formatter), 'reference'], formatter);
}

/** The mail of a sealed statement. The same input gives the same mail. */
export function renderStatement(input: StatementInput): RenderedMail {
  const { merchant, statement } = input;
  const { language } = merchant;
  return renderedMail(input, { language, currency: statement.currency }, subjectOf, pageOf);
}

/** When the records were read. Empty when no day was. */
export function readSentences(
  { asOf }: Pick<Statement, 'asOf'>,
  timeZone: string,
  { texts }: FigureFormatter,
): string[] {
  if (asOf === null) return [];
  const newest = moment(asOf.newest, timeZone, texts);
  if (moment(asOf.oldest, timeZone, texts) === newest) return [texts.say('about.readAt', { time: newest })];
  return [texts.say('statement.readBetween', { oldest: localMoment(asOf.oldest, timeZone, texts), newest })];
}

function aboutSection(
  { merchant, statement, attachments }: StatementInput,
  formatter: FigureFormatter,
): PageSection {
  const { texts } = formatter;
  const sentences = [
    ...(statement.currency === null
      ? []
      : netSentences(statement.net, formatter, chargesByColumn(statement.net, breakdownOf(statement)))),
    texts.say('statement.sums'),
    texts.say('about.noPromise'),
  ];
  return {
    heading: texts.say('about'),
    notes: oneNote([
      ...sentences,
      ...readSentences(statement, merchant.timeZone, formatter),
      ...attachmentSentences(attachments, formatter, 'statement.attached'),
    ]),
  };
}
