import { dayAt } from '#records/day/business-day.ts';
import { isEmptyStatement } from '#page/figures/statement.ts';
import type { Statement } from '#page/figures/statement.ts';
import type { FigureFormatter } from '#mail/formatters/figure-formatter.ts';
import { merchantName } from '#mail/template/mailed-merchant.ts';
import { periodInSubject, listedDays } from '#mail/formatters/period-formatter.ts';
import { LONGEST_NAME } from '../report/headline.ts';
import { cameIn } from '../came-in.ts';
import { paragraph, subjectLine } from '../mail-parts.ts';
import type { PageAttachment } from '../mail-parts.ts';
import type { PageLine } from '#mail/template/mail-layout.ts';
import type { AttachmentSettings } from '#registry/registry-schema.ts';
import type { MailedMerchant } from '#mail/template/mailed-merchant.ts';
import { unusualLength } from '#records/period/period.ts';
import { currenciesOf, currencySentences } from '../currencies.ts';

interface StatementMerchant extends MailedMerchant {
  /** The registry's words for payment methods. Left out: there are none. */
  attachments?: Pick<AttachmentSettings, 'paymentMethods'>;
}

export interface StatementInput {
  merchant: StatementMerchant;
  statement: Statement;
  /** Whether it is sent to chosen addresses on request, and marked so. */
  preview: boolean;
  attachments: readonly PageAttachment[];
  /** Whether it replaces a statement whose amounts were in another currency, and is marked so. */
  isReplacement?: boolean;
}

export interface StatementCorrectionInput extends StatementInput {
  /** The statement of the mail that is corrected. */
  before: Statement;
}

export function statementHeadline(statement: Statement, formatter: FigureFormatter): string {
  return isEmptyStatement(statement)
    ? formatter.texts.say('statement.empty')
    : resultOf(statement, formatter);
}

/** {@link cameIn} of a statement, in a few words. */
export function resultOf(statement: Statement, formatter: FigureFormatter): string {
  const { currency } = statement;
  const parts = currency === null ? currenciesOf(statement) : [{ currency, sum: statement }];
  return cameIn(statement, parts, formatter);
}

export function subjectMatter(
  { merchant, statement }: Pick<StatementInput, 'merchant' | 'statement'>,
  formatter: FigureFormatter,
): string[] {
  const mailed = dayAt(Date.parse(statement.sealedAt), merchant.timeZone);
  return [merchantName(merchant, LONGEST_NAME), periodInSubject(statement, mailed, formatter.texts)];
}

/** @param parts with the merchant and the period, {@link subjectMatter} */
export function statementSubject(
  { preview, statement }: Pick<StatementInput, 'preview' | 'statement'>,
  parts: readonly string[],
  { texts }: FigureFormatter,
): string {
  return subjectLine(parts, { preview, warning: statement.final ? null : 'provisional' }, texts);
}

export function provisionalSentences(
  { final, missing, unbalanced }: Statement,
  { texts }: FigureFormatter,
): string[] {
  if (final) return [];
  return [
    ...(missing.length > 0 ? [texts.say('statement.missing', { days: listedDays(missing, texts) })] : []),
    ...(unbalanced.length > 0
      ? [texts.say('statement.unbalanced', { days: listedDays(unbalanced, texts) })]
      : []),
  ];
}

export function weekLengthSentences(statement: Statement, { texts }: FigureFormatter): string[] {
  const count = unusualLength(statement);
  return count === undefined ? [] : [texts.say('statement.week.length', { count })];
}

export function firstMarks(statement: Statement, formatter: FigureFormatter): PageLine[] {
  const lengths = weekLengthSentences(statement, formatter);
  return [...provisionalMark(statement, formatter), ...lengths.map(paragraph)];
}

/** Names a provisional statement at the top. Empty when it is final. */
export function provisionalMark({ final }: Statement, { texts }: FigureFormatter): PageLine[] {
  return final ? [] : [{ text: texts.say('statement.provisional'), tone: 'bad' }];
}

export function finalStamp(statement: Statement, formatter: FigureFormatter): PageLine {
  const { texts } = formatter;
  const currencies = currencySentences(statement, formatter);
  if (statement.final) {
    const isOne = currencies.length === 0;
    return { text: [texts.say('statement.final'), ...currencies].join('. '), tone: isOne ? 'good' : 'plain' };
  }
  const sentences = [
    ...provisionalSentences(statement, formatter),
    texts.say('statement.follows'),
    ...currencies,
  ];
  return { text: sentences.join(' '), tone: 'bad' };
}
