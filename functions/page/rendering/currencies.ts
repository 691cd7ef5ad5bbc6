import type { CurrencySum } from '#page/figures/group-page.ts';
import type { FigureFormatter } from '#mail/formatters/figure-formatter.ts';
import type { PageFigures, PageSection } from '#mail/template/mail-layout.ts';
import { statesSection } from './invoices-section.ts';
import { netName, netSentences, asDayNet } from './net.ts';
import type { GroupFormatter, CurrencyTotal } from './group/group-formatter.ts';
import type { Day } from '#records/day/business-day.ts';
import type { CurrencyOfPeriod, Statement, StatementDay } from '#page/figures/statement.ts';
import { listedDays } from '#mail/formatters/day-formatter.ts';

/** Amounts of several currencies are never added up: each has its own sums, and the mail says so. */

type SumOfCurrency = Pick<CurrencySum, 'counts' | 'amounts' | 'refunds' | 'net'>;
type Row = PageFigures['rows'][number];

function moneyRows(sum: SumOfCurrency, figures: FigureFormatter): Row[] {
  const { texts } = figures;
  const net = asDayNet(sum.net);
  const row = (label: string, count: string, amount: string | null): Row => ({
    label,
    values: [count, figures.amount(amount)],
  });
  return [
    row(texts.say('refunds'), figures.count(sum.refunds.count), sum.refunds.total),
    row(texts.say('statement.approvedRefunds'), '', sum.net.refunded),
    ...(net.charges.kind === 'none' ? [] : [row(texts.say('charges'), '', sum.net.charges)]),
    { ...row(netName(net.charges, figures), '', sum.net.net), strong: true },
  ];
}

/** The sums of one currency. @param of whose they are: merchants or days, in words */
function currencySection(sum: SumOfCurrency, of: string, figures: FigureFormatter): PageSection {
  const { texts } = figures;
  const { figures: states, ...section } = statesSection(sum, figures);
  const hasAmounts = sum.amounts !== null;
  return {
    ...section,
    heading: texts.say('group.totals', { currency: figures.currency, merchants: of }),
    notes: netSentences(asDayNet(sum.net), figures),
    ...(states !== undefined && {
      figures: {
        columns: hasAmounts ? states.columns : [...states.columns, texts.say('amount')],
        rows: [
          ...states.rows.map((row) => (hasAmounts ? row : { ...row, values: [...row.values, ''] })),
          ...moneyRows(sum, figures),
        ],
      },
    }),
  };
}

/** The sums of each currency of a group. */
export function totalsSections(totals: readonly CurrencyTotal[], formatter: GroupFormatter): PageSection[] {
  const { texts, limits } = formatter;
  const shown = totals.slice(0, limits.list);
  const more = totals.length - shown.length;
  return [
    ...shown.map(({ currency, sum }) =>
      currencySection(sum, texts.say('group.count', { count: sum.merchants }), formatter.in(currency)),
    ),
    ...(more > 0 ? [{ notes: [texts.say('group.currencies.more', { count: more })] }] : []),
  ];
}

interface CurrencyOfStatement {
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
