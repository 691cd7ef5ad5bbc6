import { INVOICE_STATES } from '#records/figures/figure-schemas.ts';
import { decimalsOf, MOST_DECIMALS, parseSum } from '#records/money/money.ts';
import { memoized } from '#registry/once.ts';
import type { Limits } from '../template/fitting-mail.ts';
import { ISOLATE_END, ISOLATE_START, fromStranger, isolated, oneLine } from './outside-text.ts';
import type { Texts } from '../texts/texts.ts';

/** Between an amount and its currency: a line must not break there. */
const NO_BREAK_SPACE = '\u00A0';

/** Built once: building a formatter is slow, and a mail prints a hundred figures. */
const formats = new Map<string, Intl.NumberFormat>();

/** In English in every mail: other languages have signs that differ between versions of Node. */
function numberFormat(options: Intl.NumberFormatOptions): Intl.NumberFormat {
  return memoized(formats, JSON.stringify(options), () => new Intl.NumberFormat('en', options));
}

/** `Intl` prints a decimal string exactly, however long. It would round a number. */
function isDecimal(text: string): text is `${number}` {
  return /^-?\d+(?:\.\d+)?$/.test(text);
}

function decimalOfTenths(tenths: bigint): string {
  const digits = (tenths < 0n ? -tenths : tenths).toString().padStart(2, '0');
  return `${tenths < 0n ? '-' : ''}${digits.slice(0, -1)}.${digits.slice(-1)}`;
}

/** Writes the figures and texts from outside of one mail, in its language, currency and limits. */
export class FigureFormatter {
  readonly texts: Texts;
  readonly limits: Limits;
  /** `null`: amounts are not printed. */
  readonly #currency: string | null;
  readonly #hasOwnName: boolean;
  readonly #decimals: number;

  /** @param currency `null` for figures of several currencies: every amount is then unknown */
  constructor(texts: Texts, currency: string | null, limits: Limits) {
    this.texts = texts;
    this.limits = limits;
    const name = `currencies.${currency ?? ''}`;
    this.#currency = texts.has(name) ? texts.say(name).replaceAll(' ', NO_BREAK_SPACE) : currency;
    this.#hasOwnName = this.#currency !== currency;
    this.#decimals = currency === null ? MOST_DECIMALS : decimalsOf(currency);
  }

  get currency(): string {
    return isolated(this.#currency ?? this.texts.say('unknown'));
  }

  in(currency: string): FigureFormatter {
    return new FigureFormatter(this.texts, currency, this.limits);
  }

  /** The operator's own text: a mail program may make a link of it. */
  configured(text: string): string {
    return isolated(text, this.limits.text);
  }

  /** A text from outside, isolated, cut to its limit, and never a link. */
  outside(text: string): string {
    return fromStranger(text, this.limits.text);
  }

  count(count: number | null): string {
    if (count === null) return this.texts.say('unknown');
    return isolated(numberFormat({}).format(count));
  }

  /** A difference of counts, with its sign: `-35n` tenths is `-3.5`. */
  countDifference(tenths: bigint): string {
    return isolated(this.#decimal(decimalOfTenths(tenths), 0, true));
  }

  /**
   * With the currency's decimals, and further ones that are not zero: no figure is rounded.
   * @param amount a decimal string, `null` when it is unknown
   */
  amount(amount: string | null, withSign = false): string {
    if (amount === null || this.#currency === null) return this.texts.say('unknown');
    const number = this.#amountNumber(amount, withSign);
    // Isolated on its own, so that its sign stays before it beside an Arabic currency.
    const isolatedNumber = this.#hasOwnName ? `${ISOLATE_START}${number}${ISOLATE_END}` : number;
    return `${ISOLATE_START}${isolatedNumber}${NO_BREAK_SPACE}${this.#currency}${ISOLATE_END}`;
  }

  /** {@link amount} without its currency, for tables that name it once. */
  bareAmount(amount: string | null, withSign = false): string {
    if (amount === null || this.#currency === null) return this.texts.say('unknown');
    return isolated(this.#amountNumber(amount, withSign));
  }

  #amountNumber(amount: string, withSign: boolean): string {
    const [, fraction = ''] = amount.split('.');
    const decimals = /[1-9]/.test(fraction.slice(this.#decimals)) ? MOST_DECIMALS : this.#decimals;
    return oneLine(this.#decimal(amount, decimals, withSign));
  }

  /** A plain decimal without zeros at its end, such as a percentage or a count of an alert. */
  decimal(decimal: string): string {
    return this.#decimal(decimal, 0, false);
  }

  percent(decimal: string): string {
    return this.#percent(decimal, false);
  }

  /** A difference in percent, with its sign: `-35n` tenths is `-3.5%`. */
  percentDifference(tenths: bigint): string {
    return this.#percent(decimalOfTenths(tenths), true);
  }

  #percent(decimal: string, withSign: boolean): string {
    const number = oneLine(this.#decimal(decimal, 0, withSign));
    return isolated(this.texts.say('percent', { number }));
  }

  #decimal(decimal: string, decimals: number, withSign: boolean): string {
    // Text that is not a decimal is printed unchanged, on one line.
    if (!isDecimal(decimal)) return oneLine(decimal);
    const format = numberFormat({
      minimumFractionDigits: decimals,
      maximumFractionDigits: Math.max(decimals, MOST_DECIMALS),
      signDisplay: withSign ? 'exceptZero' : 'negative',
    });
    return format.format(decimal);
  }

  /** The registry's name of a refund status, in the mail's language if it has a text. */
  refundStatus(status: string): string {
    const name = `refundStatuses.${status}`;
    return this.texts.has(name) ? this.texts.say(name) : this.outside(status);
  }

  paymentMethod(method: string): string {
    return knownMethod(method, this.texts) ?? this.outside(method);
  }

  invoiceType(type: string): string {
    const name = `types.${type}`;
    return this.texts.has(name) && name !== 'types.other'
      ? this.texts.say(name)
      : this.texts.say('types.other', { type: this.outside(type) });
  }
}

export function sumOf(amounts: Record<(typeof INVOICE_STATES)[number], string>): bigint {
  return INVOICE_STATES.reduce((sum, state) => sum + parseSum(amounts[state]), 0n);
}

const LONGEST_METHOD = 60;

/** The names of texts are of this form: `Credit Card` is `credit_card`. */
function textName(method: string): string {
  return method.toLowerCase().replace(/[\s-]+/g, '_');
}

/** Our name of a payment method in the mail's language, or `undefined`. */
export function knownMethod(method: string, texts: Texts): string | undefined {
  const name = method.length > LONGEST_METHOD ? '' : `methods.${textName(method)}`;
  return texts.has(name) ? texts.say(name) : undefined;
}
