import { dayAt } from '#records/day/business-day.ts';
import type { Statement } from '#page/figures/statement.ts';
import type { FigureFormatter } from '#mail/formatters/figure-formatter.ts';
import { merchantName } from '#mail/template/mailed-merchant.ts';
import { oneLine, withoutIsolates } from '#mail/formatters/outside-text.ts';
import { periodInSubject } from '#mail/formatters/period-formatter.ts';
import { LONGEST_SUBJECT } from '#mail/template/mail-page.ts';
import { LONGEST_NAME, outcomeLine, shortOutcome } from '../report/headline.ts';
import type { StatementInput } from './statement-input.ts';

/** Whether nothing happened in the period, and that is certain. */
export function isEmpty({ final, counts, refunds }: Statement): boolean {
  return final && counts.total === 0 && refunds.count === 0;
}

export function statementHeadline(statement: Statement, formatter: FigureFormatter): string {
  return isEmpty(statement) ? formatter.texts.say('statement.empty') : outcomeLine(statement, formatter);
}

export function subjectMatter(
  { merchant, statement }: Pick<StatementInput, 'merchant' | 'statement'>,
  formatter: FigureFormatter,
): string[] {
  const mailed = dayAt(Date.parse(statement.sealedAt), merchant.timeZone);
  return [merchantName(merchant, LONGEST_NAME), periodInSubject(statement, mailed, formatter.texts)];
}

/** The merchant, the period and what was received, short enough for the list of mails on a phone. */
export function statementSubject(input: StatementInput, formatter: FigureFormatter): string {
  const { preview, statement } = input;
  const { texts } = formatter;
  const marks = [
    ...(preview ? [`[${texts.say('preview')}]`] : []),
    ...(statement.final ? [] : [`${texts.say('provisional')}:`]),
  ];
  const outcome = isEmpty(statement) ? texts.say('nothingHappened') : shortOutcome(statement, formatter);
  const said = [...subjectMatter(input, formatter), outcome].join(' · ');
  return oneLine(withoutIsolates([...marks, said].join(' ')), LONGEST_SUBJECT);
}
