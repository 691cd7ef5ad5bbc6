import type { AlertItem, AlertLine } from '#records/ledger/alert-line.ts';
import { dayAt } from '#records/day/business-day.ts';
import { longDay, weekday } from '#mail/formatters/day-formatter.ts';
import { FigureFormatter } from '#mail/formatters/figure-formatter.ts';
import { isolated, isVisible } from '#mail/formatters/outside-text.ts';
import type { Limits } from '#mail/template/fitting-mail.ts';
import type { MailedMerchant } from '#mail/template/mailed-merchant.ts';
import type { Texts } from '#mail/texts/texts.ts';

/** The input of an alert mail. A later check has the same. */
export interface AlertInput {
  merchant: MailedMerchant;
  day: string;
  /** ISO 8601, UTC. */
  checkedAt: string;
  /** The address for answers, `null` when answers do not reach anybody. */
  replyTo: string | null;
  lines: readonly AlertLine[];
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const THOUSANDTH_OF_HOUR = HOUR / 1_000;

const WHOLE = /^(-?\d+)\.0+$/;

/** Milliseconds UTC, without the seconds, as a mail shows it. */
function toTheMinute(instant: string): number {
  return Math.floor(Date.parse(instant) / MINUTE) * MINUTE;
}

export class AlertFormatter {
  readonly #texts: Texts;
  readonly figures: FigureFormatter;
  readonly #mail: AlertInput;

  constructor(texts: Texts, mail: AlertInput, limits: Limits) {
    this.#texts = texts;
    this.#mail = mail;
    this.figures = new FigureFormatter(texts, mail.merchant.currency, limits);
  }

  state({ says, severity, bound }: AlertLine): string {
    const state = this.#texts.say(
      says === 'still firing' ? `alerts.state.still firing.${bound.side}` : `alerts.state.${says}`,
    );
    const isUrgent = severity === 'critical' && says !== 'resolved';
    return isUrgent ? this.#texts.say('alerts.urgent', { state }) : state;
  }

  headline(line: AlertLine): string {
    return this.title(line) ?? this.sentence(line);
  }

  /** The merchant's own title. `null` without one, and when no part of it is visible. */
  title({ title }: AlertLine): string | null {
    return title !== null && isVisible(title) ? this.figures.configured(title) : null;
  }

  note({ note }: AlertLine): string | null {
    return note !== null && isVisible(note) ? this.figures.configured(note) : null;
  }

  /** Such as "16 unpaid invoices today, your limit is 10". */
  sentence(line: AlertLine): string {
    const bound = this.value(line.bound.at, line);
    return this.#texts.say('alerts.sentence', {
      figure: this.#figure(line),
      limit: this.#texts.say(`alerts.limit.${line.bound.side}`, { bound }),
    });
  }

  /** @param value a decimal string with three fraction digits, in the measure's unit */
  value(value: string, { unit, currency }: Pick<AlertLine, 'unit' | 'currency'>): string {
    switch (unit) {
      case 'amount':
        return this.amount({ amount: value, currency });
      case 'count':
        return isolated(this.figures.decimal(value));
      case 'percent':
        return this.figures.percent(value);
      case 'hours':
        // Part of a minute counts as one: a value beyond a bound of whole minutes is shown beyond it.
        return this.#duration(
          Math.ceil((Number(value) * 1_000 * THOUSANDTH_OF_HOUR) / MINUTE) * MINUTE,
          HOUR,
        );
    }
  }

  between(from: string, until: string): string {
    return this.#duration(Math.max(0, toTheMinute(until) - toTheMinute(from)), DAY);
  }

  /** An amount of money in its currency. What an earlier version stored does not say it, and gets the merchant's. */
  amount({ amount, currency }: Pick<AlertItem, 'amount' | 'currency'>): string {
    const figures = currency === undefined ? this.figures : this.figures.in(currency);
    return figures.amount(amount);
  }

  #figure(line: AlertLine): string {
    const value = this.value(line.value, line);
    if (line.usual !== undefined && line.usual.days > 0) {
      const { day, amount, days, by, currency } = line.usual;
      return this.#texts.say(by === null ? 'alerts.against.day' : 'alerts.against.soFar', {
        value,
        amount: this.amount({ amount, currency }),
        when: this.#when({ day }),
        count: days,
        weekday: weekday(day, this.#texts),
        ...(by !== null && { time: isolated(by) }),
      });
    }
    const name = `alerts.figure.${line.measure}`;
    const known = this.#texts.has(name) ? name : 'alerts.figure.other';
    const whole = line.unit === 'count' ? WHOLE.exec(line.value)?.[1] : undefined;
    if (line.unit === 'count' && whole === undefined)
      return this.#texts.say('alerts.figure.other', { value });
    return this.#texts.say(known, {
      value,
      when: line.measure === 'expiringUnpaid' ? this.#within(line) : this.#when(line),
      ...(whole !== undefined && { count: BigInt(whole) }),
    });
  }

  #when({ day }: Pick<AlertLine, 'day'>): string {
    const { merchant, checkedAt } = this.#mail;
    const of = day ?? this.#mail.day;
    if (of === dayAt(Date.parse(checkedAt), merchant.timeZone)) return this.#texts.say('alerts.today');
    return this.#texts.say('alerts.onDay', { day: isolated(longDay(of, this.#texts)) });
  }

  #within({ days }: AlertLine): string {
    if (days === null) return this.#texts.say('alerts.soon');
    return days === 0 ? this.#texts.say('alerts.today') : this.#texts.say('alerts.within', { count: days });
  }

  #duration(milliseconds: number, largest: number): string {
    if (!Number.isFinite(milliseconds)) return this.#texts.say('unknown');
    const days = largest === DAY ? Math.floor(milliseconds / DAY) : 0;
    const rest = milliseconds - days * DAY;
    const shown = [
      { count: days, unit: 'day' },
      { count: Math.floor(rest / HOUR), unit: 'hour' },
      { count: Math.floor((rest % HOUR) / MINUTE), unit: 'minute' },
    ].filter(({ count }) => count > 0);
    if (shown.length === 0) return this.#texts.say('alerts.moment');
    const list = new Intl.ListFormat(this.#texts.locale, { type: 'conjunction', style: 'long' });
    return isolated(list.format(shown.map(({ count, unit }) => this.#units(count, unit))));
  }

  #units(count: number, unit: string): string {
    const format = { style: 'unit', unit, unitDisplay: 'long' } as const;
    return new Intl.NumberFormat(this.#texts.locale, format).format(count);
  }
}
