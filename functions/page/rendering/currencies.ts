import type { CurrencySum } from '#page/figures/group-page.ts';
import type { FigureFormatter } from '#mail/formatters/figure-formatter.ts';
import type { PageSection } from '#mail/template/mail-layout.ts';
import { statesSection } from './invoices-section.ts';
import { asDayNet, netRows, netSentences } from './net.ts';
import type { GroupFormatter, CurrencyTotal } from './group/group-formatter.ts';
import type { Day } from '#records/day/business-day.ts';
import type { CurrencyOfPeriod, Statement, StatementDay } from '#page/figures/statement.ts';
import { listedDays } from '#mail/formatters/day-formatter.ts';

/** Amounts of several currencies are never added up: each has its own sums, and the mail says so. */

/** The sums of one currency. @param of whose they are: merchants or days, in words */
export function currencySection(
  { net }: Pick<CurrencySum, 'net'>,
  of: string,
  figures: FigureFormatter,
): PageSection {
  const { texts } = figures;
  const rows = netRows({ net, breakdown: null }, figures);
  return {
    heading: texts.say('group.totals', { currency: figures.currency, merchants: of }),
    figures: {
      columns: [texts.say('correction.figure'), texts.say('amount')],
      rows: rows.map(([label, amount], index) => ({
        label,
        values: [amount],
        strong: index === rows.length - 1,
      })),
    },
    ...(net.net === null && { notes: netSentences(asDayNet(net), figures) }),
  };
}

/** The sums of each currency of a group. The key figures at the top are those of the only one. */
export function totalsSections(
  totals: readonly CurrencyTotal[],
  madeIn: 'statement.made' | 'statement.made.day',
  formatter: GroupFormatter,
): PageSection[] {
  const { texts, limits } = formatter;
  const shown = totals.slice(0, limits.list);
  const more = totals.length - shown.length;
  return [
    ...shown.flatMap(({ currency, sum }) => {
      const figures = formatter.in(currency);
      const of = texts.say('group.count', { count: sum.merchants });
      return [
        ...(totals.length > 1 ? [currencySection(sum, of, figures)] : []),
        { ...statesSection(sum, figures), heading: texts.say(madeIn) },
      ];
    }),
    ...(more > 0 ? [{ notes: [texts.say('group.currencies.more', { count: more })] }] : []),
  ];
}

interface CurrencyOfStatement {
  currency: string;
  sum: CurrencyOfPeriod;
  /** Of its days alone, and not compared. */
  statement: Statement;
}

/** The currencies of a statement that has several, by code. Empty for any other. */
export function currenciesOf({ byCurrency = {}, ...whole }: Statement): CurrencyOfStatement[] {
  return Object.entries(byCurrency).map(([currency, sum]) => {
    const days = whole.days.filter((day) => day.currency === currency);
    const { missing, unbalanced } = {
      missing: [],
      unbalanced: days.filter(({ balanced }) => !balanced).map(({ day }) => day),
    };
    const compared = { before: null, lastYear: null };
    return {
      currency,
      sum,
      statement: { ...whole, ...sum, currency, days, missing, unbalanced, ...compared },
    };
  });
}

export function daysOfCurrency({ statement }: CurrencyOfStatement, { texts }: FigureFormatter): string {
  return listedDays(namesOf(statement.days), texts);
}

export function currencyNames(statement: Statement, formatter: FigureFormatter): string {
  const all = currenciesOf(statement).map(({ currency }) => formatter.in(currency).currency);
  return all.length === 0 ? formatter.currency : all.join(formatter.texts.say('comma'));
}

function namesOf(days: readonly StatementDay[]): Day[] {
  return days.map(({ day }) => day);
}

/** Says that there are several currencies, and whose came from the registry. Empty for one currency. */
export function currencySentences(statement: Statement, formatter: FigureFormatter): string[] {
  const { texts } = formatter;
  const all = currenciesOf(statement).map((one) => ({ ...one, name: formatter.in(one.currency).currency }));
  if (all.length === 0) return [];
  return [
    texts.say('statement.currencies', { currencies: currencyNames(statement, formatter) }),
    ...all.flatMap(({ name, statement: { days } }) => {
      const assumed = namesOf(days.filter(({ isAssumed = false }) => isAssumed));
      return assumed.length === 0
        ? []
        : [
            texts.say('statement.currencies.assumed', {
              days: listedDays(assumed, texts),
              currency: name,
            }),
          ];
    }),
  ];
}

/** The amount of a day in a table: with its currency where the statement has several. */
export function amountOfDay(
  { currency }: Pick<StatementDay, 'currency'>,
  amount: string | null,
  formatter: FigureFormatter,
): string {
  if (currency === undefined) return formatter.bareAmount(amount);
  return formatter.in(currency).amount(amount);
}
