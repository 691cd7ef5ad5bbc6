import type { FigureFormatter } from '../formatters/figure-formatter.ts';
import type { FigureValue } from './changed-figures.ts';

/** The value of a figure. */
export function valueText(value: FigureValue, formatter: FigureFormatter): string {
  if (value === null || typeof value === 'number') return formatter.count(value);
  if (typeof value === 'string') return formatter.amount(value);
  return formatter.texts.say(value ? 'correction.yes' : 'correction.no');
}

/** The old and the new value of a figure, in the direction of reading. */
export function changeText(was: FigureValue, is: FigureValue, formatter: FigureFormatter): string {
  return [was, is].map((value) => valueText(value, formatter)).join(formatter.texts.say('arrow'));
}
