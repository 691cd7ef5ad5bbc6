import { addDays, type Day } from '#records/day/business-day.ts';
import { INVOICE_STATES, type Counts } from '#records/figures/figure-schemas.ts';
import { firstReadingOf, type DayFigures } from '#records/figures/history.ts';
import { divided } from '#records/money/money.ts';
import type { Manifest } from '#records/revision/manifest.ts';
import { dayOfTrend } from '#mail/formatters/day-formatter.ts';
import type { FigureFormatter } from '#mail/formatters/figure-formatter.ts';
import { isolated } from '#mail/formatters/outside-text.ts';
import type { PageColumn, PageSection, Segments } from '#mail/template/mail-layout.ts';
import { oneNote } from '../mail-parts.ts';

/** The number of days in the trend, including the reported day. */
const TREND_DAYS = 14;

/** Counts in whole percents of `most`, together at most 100. One above zero gets at least one, to be visible. */
export function segmentsOf(counts: Counts, most: number): Segments {
  const present = INVOICE_STATES.flatMap((shade) => {
    const count = counts[shade] ?? 0;
    return count > 0 && most > 0 ? [{ shade, count }] : [];
  });
  let left = 100;
  return present.map(({ shade, count }, index) => {
    const forThoseAfter = present.length - 1 - index;
    const percent = Math.min(left - forThoseAfter, Math.max(1, Math.round((count * 100) / most)));
    left -= percent;
    return { shade, percent };
  });
}

/** An amount in whole percents of `most`, nothing for zero and below. In thousandths. */
export function amountSegments(amount: bigint, most: bigint): Segments {
  if (amount <= 0n || most <= 0n) return [];
  const percent = Number(divided(amount * 100n, most));
  return [{ shade: 'paid', percent: Math.max(1, percent) }];
}

export interface ValuedDay<Value extends number | bigint> {
  day: Day;
  value: Value;
}

/** The days with the highest and the lowest figure, of several the earliest. `null` for fewer than two days. */
export function extremesOf<Value extends number | bigint>(
  days: readonly ValuedDay<Value>[],
): { most: ValuedDay<Value>; least: ValuedDay<Value> } | null {
  const [first, ...others] = days;
  if (first === undefined || others.length === 0) return null;
  return {
    most: others.reduce((one, other) => (other.value > one.value ? other : one), first),
    least: others.reduce((one, other) => (other.value < one.value ? other : one), first),
  };
}

/** The days with the most and the fewest paid invoices, in words: not everybody sees the chart. */
function extremes(days: readonly ValuedDay<number>[], formatter: FigureFormatter): string[] {
  const { texts } = formatter;
  const found = extremesOf(days);
  if (found === null) return [];
  const values = ({ day, value }: ValuedDay<number>) => ({
    paid: formatter.count(value),
    day: isolated(dayOfTrend(day, texts)),
  });
  return [texts.say('trend.most', values(found.most)), texts.say('trend.least', values(found.least))];
}

/** The last fourteen days by first readings: later ones always know of more payments. Empty for a single day. */
export function trendSection(
  manifest: Manifest,
  history: readonly DayFigures[],
  formatter: FigureFormatter,
): PageSection[] {
  const { texts } = formatter;
  const own = firstReadingOf(manifest);
  const days = Array.from({ length: TREND_DAYS }, (_, index) =>
    addDays(manifest.day, index + 1 - TREND_DAYS),
  );
  const known = new Map(history.flatMap(({ day, first }) => (first ? [[day, first] as const] : [])));
  if (own === null || !days.some((day) => known.has(day))) return [];
  known.set(manifest.day, own);
  const most = Math.max(...days.map((day) => known.get(day)?.counts.total ?? 0));
  const chart = days.map((day): PageColumn => {
    const reading = known.get(day);
    const number = formatter.count(Number(day.slice(-2)));
    return {
      label: reading?.balanced === false ? `${number}*` : number,
      segments: reading === undefined ? [] : segmentsOf(reading.counts, most),
      today: day === manifest.day,
    };
  });
  const paid = days.flatMap((day) => {
    const count = known.get(day)?.counts.paid ?? null;
    return count === null ? [] : [{ day, value: count }];
  });
  const isUnconfirmed = days.some((day) => known.get(day)?.balanced === false);
  const isPart = history.some(({ day, first }) => days.includes(day) && !first);
  const notes = [
    ...(isPart ? [texts.say('trend.part')] : []),
    ...extremes(paid, formatter),
    ...(isUnconfirmed ? [texts.say('trend.unbalanced')] : []),
  ];
  return [{ heading: texts.say('trend'), chart, notes: oneNote(notes) }];
}
