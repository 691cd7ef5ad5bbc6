import { FigureFormatter } from '#mail/formatters/figure-formatter.ts';
import { merchantName } from '#mail/template/mailed-merchant.ts';
import { fromStranger } from '#mail/formatters/outside-text.ts';
import type { Limits } from '#mail/template/fitting-mail.ts';
import type { Texts } from '#mail/texts/texts.ts';

const LONGEST_NAME = 60;

/** Writes the figures of one group's mail, which may have several currencies. */
export class GroupFormatter {
  readonly texts: Texts;
  readonly limits: Limits;
  /** Whether all amounts are of one currency, so that tables need not name it. */
  readonly hasOneCurrency: boolean;
  readonly #byCurrency = new Map<string, FigureFormatter>();
  readonly #any: FigureFormatter;

  constructor(texts: Texts, currencies: readonly string[], limits: Limits) {
    this.texts = texts;
    this.limits = limits;
    this.hasOneCurrency = currencies.length < 2;
    // Of a page without merchants, no amount is written.
    this.#any = new FigureFormatter(texts, currencies[0] ?? 'KWD', limits);
  }

  in(currency: string): FigureFormatter {
    const known = this.#byCurrency.get(currency);
    if (known !== undefined) return known;
    const formatter = new FigureFormatter(this.texts, currency, this.limits);
    this.#byCurrency.set(currency, formatter);
    return formatter;
  }

  get plain(): FigureFormatter {
    return this.#any;
  }

  /** `null` is several currencies. It may break before its currency. */
  cell(amount: string | null, currency: string | null, withSign = false): string {
    if (currency === null) return this.texts.say('unknown');
    const formatter = this.in(currency);
    if (this.hasOneCurrency) return formatter.bareAmount(amount, withSign);
    return formatter.amount(amount, withSign).replaceAll('\u00A0', ' ');
  }

  name(merchant: { merchantCode: string; name: string | null }): string {
    const name = merchantName({ ...merchant, name: merchant.name ?? '' });
    return fromStranger(name, Math.min(LONGEST_NAME, this.limits.text));
  }
}
