import { FigureFormatter } from '#mail/formatters/figure-formatter.ts';
import { merchantName } from '#mail/template/mailed-merchant.ts';
import { fromStranger } from '#mail/formatters/outside-text.ts';
import type { Limits } from '#mail/template/fitting-mail.ts';
import type { Texts } from '#mail/texts/texts.ts';
import type { GroupPage, CurrencySum } from '#page/figures/group-page.ts';
import type { MailedMerchant } from '#mail/template/mailed-merchant.ts';
import { subjectLine } from '../mail-parts.ts';
import type { PageAttachment } from '../mail-parts.ts';
import { dayAt } from '#records/day/business-day.ts';
import { periodInSubject } from '#mail/formatters/day-formatter.ts';
import { outcomeLine, shortOutcome } from '../report/headline.ts';

export interface MailedGroup extends Pick<MailedMerchant, 'timeZone' | 'language' | 'brand'> {
  name: string;
}

export interface GroupInput {
  group: MailedGroup;
  page: GroupPage;
  /** Whether it is sent to chosen addresses on request, and marked so. */
  preview: boolean;
  attachments: readonly PageAttachment[];
}

const LONGEST_NAME = 60;

/** Writes the figures of one group's mail, which may have several currencies. */
export class GroupFormatter {
  readonly texts: Texts;
  readonly limits: Limits;
  /** Whether all amounts are of one currency, so that tables need not name it. */
  readonly hasOneCurrency: boolean;
  readonly #byCurrency = new Map<string, FigureFormatter>();
  readonly plain: FigureFormatter;

  constructor(texts: Texts, currencies: readonly string[], limits: Limits) {
    this.texts = texts;
    this.limits = limits;
    this.hasOneCurrency = currencies.length < 2;
    // Of a page without merchants, no amount is written.
    this.plain = new FigureFormatter(texts, currencies[0] ?? 'KWD', limits);
  }

  in(currency: string): FigureFormatter {
    const known = this.#byCurrency.get(currency);
    if (known !== undefined) return known;
    const formatter = new FigureFormatter(this.texts, currency, this.limits);
    this.#byCurrency.set(currency, formatter);
    return formatter;
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

/** A subject has no room for more amounts. */
const MOST_AMOUNTS = 2;

export interface CurrencyTotal {
  currency: string;
  sum: CurrencySum;
}

/** The sums by currency, those of most merchants first. */
export function totalsOf({ byCurrency }: Pick<GroupPage, 'byCurrency'>): CurrencyTotal[] {
  return Object.entries(byCurrency)
    .map(([currency, sum]) => ({ currency, sum }))
    .sort((one, other) => other.sum.merchants - one.sum.merchants);
}

function amountsLine(totals: readonly CurrencyTotal[], formatter: GroupFormatter): string {
  const { texts } = formatter;
  const amounts = totals.flatMap(({ currency, sum }) =>
    sum.amounts === null ? [] : [formatter.in(currency).amount(sum.amounts.paid)],
  );
  if (amounts.length === totals.length && amounts.length <= MOST_AMOUNTS) {
    return texts.say('collected', { amount: amounts.join(texts.say('comma')) });
  }
  const count = totals.reduce((all, { sum }) => all + sum.merchants, 0);
  return texts.say('group.count', { count });
}

export function groupHeadline(totals: readonly CurrencyTotal[], formatter: GroupFormatter): string {
  const [only, ...others] = totals;
  if (only === undefined) return formatter.texts.say('group.empty');
  if (others.length > 0) return amountsLine(totals, formatter);
  return outcomeLine(only.sum, formatter.in(only.currency));
}

function outcomeInSubject(totals: readonly CurrencyTotal[], formatter: GroupFormatter): string {
  const [only, ...others] = totals;
  if (only === undefined) return formatter.texts.say('group.empty');
  return others.length > 0
    ? amountsLine(totals, formatter)
    : shortOutcome(only.sum, formatter.in(only.currency));
}

export function groupSubject(
  { group, page, preview }: GroupInput,
  totals: readonly CurrencyTotal[],
  formatter: GroupFormatter,
): string {
  const { texts } = formatter;
  const mailed = dayAt(Date.parse(page.sealedAt), group.timeZone);
  const said = [group.name, periodInSubject(page, mailed, texts), outcomeInSubject(totals, formatter)];
  return subjectLine(said, { preview, warning: page.final ? null : 'provisional' }, texts);
}
