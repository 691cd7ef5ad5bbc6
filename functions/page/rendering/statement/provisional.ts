import { unusualLength } from '#records/period/period.ts';
import type { Statement } from '#page/figures/statement.ts';
import type { FigureFormatter } from '#mail/formatters/figure-formatter.ts';
import { listedDays } from '#mail/formatters/period-formatter.ts';
import { currencySentences } from './currencies.ts';
import type { PageLine } from '#mail/template/mail-page.ts';

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
  return [
    ...provisionalMark(statement, formatter),
    ...lengths.map((text) => ({ text, tone: 'plain' as const })),
  ];
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
