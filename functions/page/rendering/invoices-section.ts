import { addDays } from '#records/day/business-day.ts';
import { INVOICE_STATES } from '#records/figures/figure-schemas.ts';
import type { Amounts, InvoiceState } from '#records/figures/figure-schemas.ts';
import type { Day } from '#records/day/business-day.ts';
import type { DayFigures } from '#records/figures/history.ts';
import { formatAmount, parseSum, divided } from '#records/money/money.ts';
import type { Manifest } from '#records/revision/manifest.ts';
import { weekday } from '#mail/formatters/day-formatter.ts';
import { sumOf } from '#mail/formatters/figure-formatter.ts';
import type { FigureFormatter } from '#mail/formatters/figure-formatter.ts';
import { isolated } from '#mail/formatters/outside-text.ts';
import type { PageFigures, PageSection } from '#mail/template/mail-layout.ts';
import { segmentsOf } from './report/trend.ts';

type ComparedState = InvoiceState | 'total';

export interface Comparison {
  days: number;
  /** In tenths of an invoice. `null` when one of the two counts is unknown. */
  differences: Record<ComparedState, bigint | null>;
}

type Counted = Pick<DayFigures, 'counts'>;

const STATES = [...INVOICE_STATES, 'total'] as const;
const WEEK = 7;

function sum(values: readonly (bigint | null)[]): bigint | null {
  return values.reduce((total, value) => (total === null || value === null ? null : total + value), 0n);
}

function awayFromAverage(value: bigint | null, others: readonly (bigint | null)[]): bigint | null {
  const total = sum(others);
  if (value === null || total === null) return null;
  const count = BigInt(others.length);
  return divided((value * count - total) * 10n, count);
}

/** `null` when both know no common count. */
function compared(present: Counted, others: readonly Counted[]): Comparison | null {
  if (others.length === 0) return null;
  const count = (figures: Counted, state: ComparedState) => {
    const known = figures.counts[state];
    return known === null ? null : BigInt(known);
  };
  const differences = STATES.map((state) =>
    awayFromAverage(
      count(present, state),
      others.map((other) => count(other, state)),
    ),
  );
  if (differences.every((difference) => difference === null)) return null;
  const [paid = null, notPaid = null, cancelled = null, other = null, total = null] = differences;
  return { days: others.length, differences: { paid, notPaid, cancelled, other, total } };
}

/** The history of the given days, without days that did not balance: these cannot be compared with. */
function balancedOn(history: readonly DayFigures[], days: readonly Day[]): DayFigures[] {
  return history.filter(({ day, balanced }) => balanced && days.includes(day));
}

/** A sealed day compared with the day before, `null` when that day is not known to be right. */
export function againstDayBefore(manifest: Manifest, history: readonly DayFigures[]): Comparison | null {
  return compared(manifest, balancedOn(history, [addDays(manifest.day, -1)]));
}

/** Compares with the average of the same weekday in the four weeks before, as far as it is known. */
export function againstWeekday(manifest: Manifest, history: readonly DayFigures[]): Comparison | null {
  const weekdays = [1, 2, 3, 4].map((weeks) => addDays(manifest.day, -WEEK * weeks));
  return compared(manifest, balancedOn(history, weekdays));
}

const NOTHING = '–';

type StateFigures = Pick<Manifest, 'counts' | 'amounts'>;

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
