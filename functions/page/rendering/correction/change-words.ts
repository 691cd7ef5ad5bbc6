import type { FigureFormatter } from '#mail/formatters/figure-formatter.ts';
import { ISOLATE_END } from '#mail/formatters/outside-text.ts';
import type { FigureValue } from './changed-figures.ts';

function valueText(value: FigureValue, formatter: FigureFormatter): string {
  if (value === null || typeof value === 'number') return formatter.count(value);
  if (typeof value === 'string') return formatter.amount(value);
  return formatter.texts.say(value ? 'correction.yes' : 'correction.no');
}

function withoutCurrency(amount: string): string {
  return amount.replace(/\u00A0.*$/u, ISOLATE_END);
}

/** The old and the new value of a figure, in the direction of reading. Two amounts share the currency. */
export function changeText(was: FigureValue, is: FigureValue, formatter: FigureFormatter): string {
  const before = valueText(was, formatter);
  const hasAmounts = typeof was === 'string' && typeof is === 'string';
  return [hasAmounts ? withoutCurrency(before) : before, valueText(is, formatter)].join(
    formatter.texts.say('arrow'),
  );
}
