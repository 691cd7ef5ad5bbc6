import { addDays } from '#records/day/business-day.ts';
import { INVOICE_STATES } from '#records/figures/figure-schemas.ts';
import type { Amounts, InvoiceState } from '#records/figures/figure-schemas.ts';
import type { DayFigures } from '#records/figures/history.ts';
import { formatAmount, parseSum } from '#records/money/money.ts';
import type { Manifest } from '#records/revision/manifest.ts';
import { weekday } from '#mail/formatters/day-formatter.ts';
import { sumOf } from '#mail/formatters/figure-formatter.ts';
import type { FigureFormatter } from '#mail/formatters/figure-formatter.ts';
import { isolated } from '#mail/formatters/outside-text.ts';
import type { PageFigures, PageSection } from '#mail/template/mail-page.ts';
import { againstDayBefore, againstWeekday } from './comparison.ts';
import type { ComparedState, Comparison } from './comparison.ts';
import { segmentsOf } from './trend.ts';

const NOTHING = '–';

type StateFigures = Pick<Manifest, 'counts' | 'amounts'>;

/** The earlier days that a report is compared with. */
interface Compared {
  comparison: Comparison;
  head: string;
  note: string;
}

/** The average of the same weekday says more than the day before, which may be a day off. */
function comparedWith(
  manifest: Manifest,
  history: readonly DayFigures[],
  { texts }: FigureFormatter,
): Compared | null {
  const average = againstWeekday(manifest, history);
  if (average !== null) {
    const name = isolated(weekday(manifest.day, texts));
    return {
      comparison: average,
      head: texts.say('againstAverage', { weekday: name }),
      note: texts.say('averageOf', { count: average.days, weekday: name }),
    };
  }
  const before = againstDayBefore(manifest, history);
  if (before === null) return null;
  const name = isolated(weekday(addDays(manifest.day, -1), texts));
  return {
    comparison: before,
    head: texts.say('againstDay', { weekday: name }),
    note: texts.say('dayBefore'),
  };
}

function stateRow(
  state: ComparedState,
  { counts, amounts }: StateFigures,
  compared: Compared | null,
  formatter: FigureFormatter,
): PageFigures['rows'][number] {
  const difference = compared?.comparison.differences[state] ?? null;
  const amount = (sums: Amounts) =>
    formatter.amount(state === 'total' ? formatAmount(sumOf(sums)) : sums[state]);
  return {
    label: formatter.texts.say(`states.${state}`),
    values: [
      formatter.count(counts[state]),
      ...(compared === null ? [] : [difference === null ? NOTHING : formatter.countDifference(difference)]),
      ...(amounts === null ? [] : [amount(amounts)]),
    ],
    ...(state === 'total' ? { strong: true } : { shade: state }),
  };
}

function isShown(state: InvoiceState, { counts, amounts }: StateFigures): boolean {
  return state !== 'other' || counts.other !== 0 || (amounts !== null && parseSum(amounts.other) !== 0n);
}

export function statesSection(
  figures: StateFigures,
  formatter: FigureFormatter,
  compared: Compared | null = null,
): PageSection {
  const { texts } = formatter;
  const { counts, amounts } = figures;
  const states = [...INVOICE_STATES.filter((state) => isShown(state, figures)), 'total' as const];
  return {
    heading: texts.say('invoices'),
    ...(counts.total !== null && counts.total > 0 && { proportions: segmentsOf(counts, counts.total) }),
    figures: {
      columns: [
        texts.say('state'),
        texts.say('count'),
        ...(compared === null ? [] : [compared.head]),
        ...(amounts === null ? [] : [texts.say('amount')]),
      ],
      rows: states.map((state) => stateRow(state, figures, compared, formatter)),
    },
    ...(compared !== null && { notes: [compared.note] }),
  };
}

/** The invoices of a day by state, one line each, with one comparison. */
export function invoicesSection(
  manifest: Manifest,
  history: readonly DayFigures[],
  formatter: FigureFormatter,
): PageSection {
  return statesSection(manifest, formatter, comparedWith(manifest, history, formatter));
}
