import type { Statement } from '#domain/statement/statement.ts';
import type { FigureFormatter } from '../formatters/figure-formatter.ts';
import { listedDays } from '../formatters/period-formatter.ts';
import type { PageLine } from '../page/mail-page.ts';

/** The days that keep a statement from being final, in sentences. Empty when it is final. */
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

/** Names a provisional statement at the top. Empty when it is final. */
export function provisionalMark({ final }: Statement, { texts }: FigureFormatter): PageLine[] {
  return final ? [] : [{ text: texts.say('statement.provisional'), tone: 'bad' }];
}

/** Whether the statement is final. If not, which days are missing, and what the merchant can expect. */
export function finalStamp(statement: Statement, formatter: FigureFormatter): PageLine {
  const { texts } = formatter;
  if (statement.final) return { text: texts.say('statement.final'), tone: 'good' };
  const sentences = [...provisionalSentences(statement, formatter), texts.say('statement.follows')];
  return { text: sentences.join(' '), tone: 'bad' };
}
