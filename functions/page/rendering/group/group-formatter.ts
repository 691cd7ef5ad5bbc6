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
import { cameIn } from '../came-in.ts';

export interface MailedGroup extends Pick<MailedMerchant, 'timeZone' | 'language' | 'brand'> {
  name: string;
}

export interface GroupInput {
  group: MailedGroup;
  page: GroupPage;
  /** That it replaces; `null` for the first, or when it cannot be read. */
  before: GroupPage | null;
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

  /** An amount beside others that may be of other currencies. `null` is several currencies. */
  cell(amount: string | null, currency: string | null, withSign = false): string {
    if (currency === null) return this.texts.say('unknown');
    const formatter = this.in(currency);
    if (this.hasOneCurrency) return formatter.bareAmount(amount, withSign);
    return formatter.amount(amount, withSign);
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

/** The group's result in one line. */
export function groupHeadline(totals: readonly CurrencyTotal[], formatter: GroupFormatter): string {
  const [only, ...others] = totals;
  const { texts } = formatter;
  if (only === undefined) return texts.say('group.empty');
  const isKnown = totals.every(({ sum }) => sum.net.received !== null);
  if (others.length === 0 || (isKnown && totals.length <= MOST_AMOUNTS))
    return cameIn(only.sum, totals, formatter.plain);
  return texts.say('group.count', { count: totals.reduce((all, { sum }) => all + sum.merchants, 0) });
}

export function groupSubject(
  { group, page, preview }: GroupInput,
  totals: readonly CurrencyTotal[],
  formatter: GroupFormatter,
): string {
  const { texts } = formatter;
  const mailed = dayAt(Date.parse(page.sealedAt), group.timeZone);
  const said = [group.name, periodInSubject(page, mailed, texts), groupHeadline(totals, formatter)];
  return subjectLine(said, { preview, warning: page.final ? null : 'provisional' }, texts);
}
