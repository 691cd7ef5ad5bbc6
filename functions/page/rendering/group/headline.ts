import { dayAt } from '#records/day/business-day.ts';
import type { CurrencySum, GroupPage } from '#page/figures/group-page.ts';
import { oneLine, withoutIsolates } from '#mail/formatters/outside-text.ts';
import { periodInSubject } from '#mail/formatters/period-formatter.ts';
import { LONGEST_SUBJECT } from '#mail/template/mail-page.ts';
import { outcomeLine, shortOutcome } from '../report/headline.ts';
import type { GroupFormatter } from './group-formatter.ts';
import type { GroupInput } from './group-input.ts';

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

/** The group's result in one line. */
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
  const marks = [
    ...(preview ? [`[${texts.say('preview')}]`] : []),
    ...(page.final ? [] : [`${texts.say('provisional')}:`]),
  ];
  const mailed = dayAt(Date.parse(page.sealedAt), group.timeZone);
  const said = [group.name, periodInSubject(page, mailed, texts), outcomeInSubject(totals, formatter)];
  return oneLine(withoutIsolates([...marks, said.join(' · ')].join(' ')), LONGEST_SUBJECT);
}
