import { addDays } from '#domain/day/business-day.ts';
import { INVOICE_STATES } from '#domain/figures/figures.ts';
import type { InvoiceState } from '#domain/figures/figures.ts';
import type { DayFigures } from '#domain/figures/history.ts';
import { formatAmount, parseSum } from '#domain/money/money.ts';
import type { Manifest } from '#domain/revision/manifest.ts';
import { weekday } from '../formatters/day-formatter.ts';
import { sumOf } from '../formatters/figure-formatter.ts';
import type { FigureFormatter } from '../formatters/figure-formatter.ts';
import { isolated } from '../formatters/outside-text.ts';
import type { PageFigures, PageSection } from '../page/mail-page.ts';
import { againstDayBefore, againstWeekday } from './comparison.ts';
import type { ComparedState, Comparison } from './comparison.ts';
import { segmentsOf } from './trend.ts';

/** The rows of one state: its figures, and below them its share and its difference from other days. */
function stateRows(
  state: ComparedState,
  manifest: Manifest,
  comparisons: readonly { label: string; comparison: Comparison }[],
  formatter: FigureFormatter,
): PageFigures['rows'] {
  const { counts, amounts } = manifest;
  const sums = amounts === null ? null : { ...amounts, total: formatAmount(sumOf(amounts)) };
  const withAmount = (amount: () => string) => (sums === null ? [] : [amount()]);
  // With an amount below zero, the parts are larger than their sum.
  const isWhole = sums !== null && INVOICE_STATES.every((each) => parseSum(sums[each]) >= 0n);
  const shareOfAmount = () => (isWhole ? formatter.share(parseSum(sums[state]), parseSum(sums.total)) : '');
  const { [state]: count, total } = counts;
  const share =
    state === 'total' || count === null || total === null
      ? []
      : [formatter.share(BigInt(count), BigInt(total)), ...withAmount(shareOfAmount)];
  return [
    {
      label: formatter.texts.say(`states.${state}`),
      values: [formatter.count(count), ...withAmount(() => formatter.amount(sums?.[state] ?? null))],
      strong: true,
      ...(state !== 'total' && { shade: state }),
    },
    ...(share.some((value) => value !== '')
      ? [{ label: formatter.texts.say('share'), values: share, under: true }]
      : []),
    ...comparisons.flatMap(({ label, comparison }) => {
      const difference = comparison.differences[state];
      if (difference.count === null && difference.amount === null) return [];
      const values = [
        difference.count === null ? '' : formatter.countDifference(difference.count),
        ...withAmount(() =>
          difference.amount === null ? '' : formatter.amountDifference(difference.amount, comparison.days),
        ),
      ];
      return [{ label, values, under: true }];
    }),
  ];
}

/** Whether a state is shown. `other` is left out when it is empty. */
function isShown(state: InvoiceState, { counts, amounts }: Manifest): boolean {
  return state !== 'other' || counts.other !== 0 || (amounts !== null && parseSum(amounts.other) !== 0n);
}

/** The invoices by state, with shares and comparisons with other days. */
export function invoicesSection(
  manifest: Manifest,
  history: readonly DayFigures[],
  formatter: FigureFormatter,
): PageSection {
  const { texts } = formatter;
  const { counts, amounts, day } = manifest;
  const before = againstDayBefore(manifest, history);
  const average = againstWeekday(manifest, history);
  const name = isolated(weekday(day, texts));
  const comparisons = [
    ...(before === null
      ? []
      : [
          {
            label: texts.say('againstDay', { weekday: isolated(weekday(addDays(day, -1), texts)) }),
            comparison: before,
          },
        ]),
    ...(average === null
      ? []
      : [{ label: texts.say('againstAverage', { weekday: name }), comparison: average }]),
  ];
  const states = [...INVOICE_STATES.filter((state) => isShown(state, manifest)), 'total' as const];
  return {
    heading: texts.say('invoices'),
    ...(counts.total !== null && counts.total > 0 && { proportions: segmentsOf(counts, counts.total) }),
    figures: {
      columns: [texts.say('state'), texts.say('count'), ...(amounts === null ? [] : [texts.say('amount')])],
      rows: states.flatMap((state) => stateRows(state, manifest, comparisons, formatter)),
    },
    ...(average !== null && { notes: [texts.say('averageOf', { count: average.days, weekday: name })] }),
  };
}
