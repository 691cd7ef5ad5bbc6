import type { AlertLine } from '../alerts/alert-state.ts';
import type { Unit } from '../alerts/measure.ts';
import { FigureWords } from './figure-words.ts';
import { isolated } from './outside-text.ts';
import { printAmount } from './printed-figures.ts';
import type { MailedMerchant } from './report-input.ts';
import type { Texts } from './texts/texts.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How values, bounds and durations of alerts are written in one mail. */
export class AlertWords {
  readonly #texts: Texts;
  readonly #figures: FigureWords;
  readonly #locale: string;

  constructor(texts: Texts, merchant: Pick<MailedMerchant, 'currency'>) {
    this.#texts = texts;
    this.#figures = new FigureWords(texts, merchant.currency);
    // The figures of all mails are written in these digits.
    this.#locale = `${texts.language}-u-nu-latn`;
  }

  /** The measure's name in the mail's language, or as rules write it. */
  measure(name: string): string {
    return (
      Object.entries(this.#texts.alerts.measures).find(([known]) => known === name)?.[1] ?? isolated(name)
    );
  }

  /** @param value a decimal string with three fraction digits, in the measure's unit */
  value(value: string, unit: Unit): string {
    switch (unit) {
      case 'amount':
        return this.#figures.amount(value);
      case 'count':
        return isolated(withoutZeros(value));
      case 'percent':
        return isolated(`${withoutZeros(value)} %`);
      case 'hours':
        return isolated(this.#units(Number(value), 'hour', 3));
    }
  }

  /** Such as "above 50". */
  bound({ bound, unit }: AlertLine): string {
    return this.#texts.alerts.bound[bound.side](this.value(bound.at, unit));
  }

  /** In its two largest units, such as "2 days, 3 hours". @param milliseconds below zero counts as zero */
  duration(milliseconds: number): string {
    const parts = [
      { count: Math.floor(milliseconds / DAY), unit: 'day' },
      { count: Math.floor((milliseconds % DAY) / HOUR), unit: 'hour' },
      { count: Math.floor((milliseconds % HOUR) / MINUTE), unit: 'minute' },
    ] as const;
    const first = parts.findIndex(({ count }) => count > 0);
    if (first === -1) return this.#texts.alerts.moment;
    const shown = parts.slice(first, first + 2).filter(({ count }) => count > 0);
    const list = new Intl.ListFormat(this.#locale, { type: 'unit', style: 'long' });
    return list.format(shown.map(({ count, unit }) => this.#units(count, unit, 0)));
  }

  #units(count: number, unit: 'day' | 'hour' | 'minute', fractionDigits: number): string {
    const format = {
      style: 'unit',
      unit,
      unitDisplay: 'long',
      maximumFractionDigits: fractionDigits,
    } as const;
    return new Intl.NumberFormat(this.#locale, format).format(count);
  }
}

/** `57.000` as `57`, `57.500` as `57.5`, with separators between thousands. */
function withoutZeros(value: string): string {
  return printAmount(value.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, ''));
}
