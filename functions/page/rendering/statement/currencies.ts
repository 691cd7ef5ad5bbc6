import type { Day } from '#records/day/business-day.ts';
import type { CurrencyOfPeriod } from '#page/figures/period-figures.ts';
import type { Statement, StatementDay } from '#page/figures/statement.ts';
import type { FigureFormatter } from '#mail/formatters/figure-formatter.ts';
import { listedDays } from '#mail/formatters/period-formatter.ts';
import type { PageSection } from '#mail/template/mail-page.ts';
import { currencySection } from '../group/totals-sections.ts';

/** Amounts of several currencies are never added up: each has its own sums, and the mail says so. */

export interface CurrencyOfStatement {
  currency: string;
  sum: CurrencyOfPeriod;
  days: readonly StatementDay[];
}

/** The currencies of a statement that has several, by code. Empty for any other. */
export function currenciesOf({ byCurrency = {}, days }: Statement): CurrencyOfStatement[] {
  return Object.entries(byCurrency).map(([currency, sum]) => ({
    currency,
    sum,
    days: days.filter((day) => day.currency === currency),
  }));
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
    ...all.flatMap(({ name, days }) => {
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

export function currencySections(statement: Statement, formatter: FigureFormatter): PageSection[] {
  return currenciesOf(statement).map(({ currency, sum, days }) =>
    currencySection(sum, listedDays(namesOf(days), formatter.texts), formatter.in(currency)),
  );
}

/** The amount of a day in a table: with its currency where the statement has several. */
export function amountOfDay(
  { currency }: Pick<StatementDay, 'currency'>,
  amount: string | null,
  formatter: FigureFormatter,
): string {
  if (currency === undefined) return formatter.bareAmount(amount);
  return formatter.in(currency).amount(amount).replaceAll('\u00A0', ' ');
}
