import type { AlertLine } from '#domain/alerts/alert-state.ts';
import type { Unit } from '#domain/alerts/measure.ts';
import { FigureFormatter } from '../formatters/figure-formatter.ts';
import type { Limits } from '../page/fitting-mail.ts';
import { isolated } from '../formatters/outside-text.ts';
import type { MailedMerchant } from '../report/report-input.ts';
import type { Texts } from '../texts/texts.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Writes the values, bounds and durations of one alert mail. */
export class AlertFormatter {
  readonly #texts: Texts;
  readonly #figures: FigureFormatter;
  readonly limits: Limits;

  constructor(texts: Texts, merchant: Pick<MailedMerchant, 'currency'>, limits: Limits) {
    this.#texts = texts;
    this.limits = limits;
    this.#figures = new FigureFormatter(texts, merchant.currency, limits);
  }

  /** The measure's name in the mail's language, or its name in rules. */
  measure(measure: string): string {
    const name = `alerts.measures.${measure}`;
    return this.#texts.has(name) ? this.#texts.say(name) : this.#figures.outside(measure);
  }

  /** @param value a decimal string with three fraction digits, in the measure's unit */
  value(value: string, unit: Unit): string {
    switch (unit) {
      case 'amount':
        return this.#figures.amount(value);
      case 'count':
        return isolated(this.#figures.decimal(value));
      case 'percent':
        return this.#figures.percent(value);
      case 'hours':
        return isolated(this.#units(Number(value), 'hour', 3));
    }
  }

  /** Such as "above 50". */
  bound({ bound, unit }: AlertLine): string {
    return this.#texts.say(`alerts.bound.${bound.side}`, { value: this.value(bound.at, unit) });
  }

  /** In its two largest units, such as "2 days, 3 hours". @param milliseconds below zero counts as zero */
  duration(milliseconds: number): string {
    const parts = [
      { count: Math.floor(milliseconds / DAY), unit: 'day' },
      { count: Math.floor((milliseconds % DAY) / HOUR), unit: 'hour' },
      { count: Math.floor((milliseconds % HOUR) / MINUTE), unit: 'minute' },
    ] as const;
    const first = parts.findIndex(({ count }) => count > 0);
    if (first === -1) return this.#texts.say('alerts.moment');
    const shown = parts.slice(first, first + 2).filter(({ count }) => count > 0);
    const list = new Intl.ListFormat(this.#texts.locale, { type: 'unit', style: 'long' });
    return list.format(shown.map(({ count, unit }) => this.#units(count, unit, 0)));
  }

  #units(count: number, unit: 'day' | 'hour' | 'minute', fractionDigits: number): string {
    const format = {
      style: 'unit',
      unit,
      unitDisplay: 'long',
      maximumFractionDigits: fractionDigits,
    } as const;
    return new Intl.NumberFormat(this.#texts.locale, format).format(count);
  }
}
