import type { CurrencySum, GroupPage } from '#page/figures/group-page.ts';
import type { FigureFormatter } from '#mail/formatters/figure-formatter.ts';
import type { PageSection } from '#mail/template/mail-layout.ts';
import { asDayNet, netRows, netSentences } from './net.ts';
import type { Day } from '#records/day/business-day.ts';
import type { Statement, StatementDay } from '#page/figures/statement.ts';
import { listedDays } from '#mail/formatters/day-formatter.ts';

/** Amounts of several currencies are never added up: each has its own sums, and the mail says so. */

/** The sums of one currency. @param of whose they are: merchants or days, in words */
export function currencySection(
  { net }: Pick<CurrencySum, 'net'>,
  of: string,
  figures: FigureFormatter,
): PageSection {
  const { texts } = figures;
  const rows = netRows(net, null, figures);
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

export interface CurrencyTotal {
  currency: string;
  sum: CurrencySum;
}

/** The sums of a group by currency, those of most merchants first. */
export function totalsOf({ byCurrency }: Pick<GroupPage, 'byCurrency'>): CurrencyTotal[] {
  return Object.entries(byCurrency)
    .map(([currency, sum]) => ({ currency, sum }))
    .sort((one, other) => other.sum.merchants - one.sum.merchants);
}

interface CurrencyOfStatement {
  currency: string;
  /** Of its days alone, and not compared. */
  sum: Statement;
}

/** The currencies of a statement that has several, by code. Empty for any other. */
export function currenciesOf({ byCurrency = {}, ...whole }: Statement): CurrencyOfStatement[] {
  return Object.entries(byCurrency).map(([currency, sum]) => {
    const days = whole.days.filter((day) => day.currency === currency);
    const unbalanced = namesOf(days.filter(({ balanced }) => !balanced));
    const alone = { days, missing: [], unbalanced, before: null, lastYear: null };
    return { currency, sum: { ...whole, ...sum, currency, ...alone } };
  });
}

export function daysOfCurrency({ sum }: CurrencyOfStatement, { texts }: FigureFormatter): string {
  return listedDays(namesOf(sum.days), texts);
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
    ...all.flatMap(({ name, sum: { days } }) => {
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
